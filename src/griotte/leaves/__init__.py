"""The forms of leaves: which families a kernel serves, along which lanes, at which sizes, and in how many registers.
What they cost is in cost/, their C in codegen/."""
