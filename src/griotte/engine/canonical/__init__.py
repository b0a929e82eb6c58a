"""The canonical form of a Spec, which is what the search sees."""
