"""The verbs of `griotte table`, one module each."""
