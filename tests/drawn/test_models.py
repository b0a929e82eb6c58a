"""Random models."""

from griotte.lang.constructors.forms import forms
from griotte.models import parse_graph

from drawn.models import COVERED, KINDS, random_models


def test_every_call_of_the_language_is_drawn():
    assert set(forms()) <= {*KINDS, *COVERED}


def test_models_read_back_and_have_every_kind_of_call():
    texts = random_models(120, 3)
    read = [str(parse_graph(text)) for text in texts]
    assert [str(parse_graph(text)) for text in read] == read
    assert all(any(f"{name}(" in text for text in texts) for name in forms())


def test_a_seed_draws_the_same():
    assert random_models(5, 1) == random_models(5, 1) != random_models(5, 2)
