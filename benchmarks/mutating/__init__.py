"""What `make mutants` is made of: faults to plant, which tests meet them, and the processes that they run in."""
