"""What readers of models share: a node that is read, and operators said as calls of the language."""
