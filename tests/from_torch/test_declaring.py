"""What a function takes of what an operator is given, by the names of its schema."""

from __future__ import annotations

import pytest
from griotte.support.errors import SpecError
from griotte.torch.operators.declaring import taken

GIVEN = {"self": 1, "other": 2, "alpha": 3, "dtype": None}


def test_names_are_the_schemas_and_others_come_in_order():
    assert taken(lambda node, x, y, alpha: None, GIVEN) == ([1, 2, 3], {})
    assert taken(lambda node, alpha, x, y: None, GIVEN) == ([3, 1, 2], {})
    assert taken(lambda node, x, *rest: None, GIVEN) == ([1, 2, 3], {})
    assert taken(lambda node, x, *rest, alpha, how="as is": None, GIVEN) == ([1, 2], {"alpha": 3})
    assert taken(lambda node, x, y, alpha, dtype: None, GIVEN) == ([1, 2, 3, None], {})
    assert taken(lambda node, x, y, alpha, how="as is": None, GIVEN) == ([1, 2, 3, "as is"], {})


@pytest.mark.parametrize("function", [lambda node, x, y: None, lambda node, x, y, z, w, alpha: None])
def test_all_is_taken(function):
    with pytest.raises(SpecError, match="given other operands than it has: (alpha|no z)"):
        taken(function, GIVEN)
