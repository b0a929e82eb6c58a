"""What others take a kernel by: wheels."""
