"""What the search knows of common graphs: causal structure, halos, softmax in one pass, shards."""
