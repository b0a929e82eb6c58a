"""The verbs of `griotte table`, one module each; they import what they need when they run."""

COMMANDS = ()

__all__ = ["COMMANDS"]
