"""What Python runs as it begins where this folder is on its path: with COLD_SAMPLES set to a folder, the process is
sampled into a file there. So workers that griotte starts are sampled like the process that starts them."""

import os

if os.environ.get("COLD_SAMPLES"):
    import sampler

    sampler.start(os.environ["COLD_SAMPLES"])
