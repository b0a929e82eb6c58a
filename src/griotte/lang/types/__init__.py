"""Types of tensors and of their elements, and the scalar expressions over them."""
