"""The calls of the language, each a constructor of a Spec."""
