"""One module per library: its `ways` of computing a problem. Each runs in a process, and mostly in an environment, of
its own."""
