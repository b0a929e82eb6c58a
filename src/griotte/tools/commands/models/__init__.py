"""The verbs on whole models: what `griotte compile`, `check`, `bench` and `explain` do where SPEC is a model's file."""
