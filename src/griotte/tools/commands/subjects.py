"""SPEC arguments as subjects of verbs: the one place that tells a Spec from a model."""

from __future__ import annotations

from . import options
from .models.reading import ModelFile
from .models.subject import ModelSubject
from .specs.subject import SpecSubject
from .subject import BenchOptions, Built, Subject

__all__ = ["BenchOptions", "Built", "Subject", "subjects"]


def subjects(named: options.Named) -> list[Subject]:
    """What the arguments name; all are read before any is worked on."""
    found = options.parse_all(*named)
    return [ModelSubject(each) if isinstance(each, ModelFile) else SpecSubject(each) for each in found]
