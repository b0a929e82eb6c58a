"""The verbs on Specs."""
