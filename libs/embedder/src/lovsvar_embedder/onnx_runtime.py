"""ONNX Runtime without telemetry. Import the library from here only.

Its builds for Linux, macOS and Windows send events about every session to their vendor and store an identifier of the
machine, unless this variable is set before the library is loaded; its own function is too late for the first event.
"""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

__all__ = ["onnxruntime"]
