"""PostgreSQL, Tantivy, ONNX Runtime, and the folder of the index."""
