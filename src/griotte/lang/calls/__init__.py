"""What a user states: calls on tensors, as Specs."""
