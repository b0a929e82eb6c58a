"""What others take a kernel by: wheels, operators of onnxruntime."""
