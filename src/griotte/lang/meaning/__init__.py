"""What a Spec means, in NumPy, and whether a result agrees with it."""
