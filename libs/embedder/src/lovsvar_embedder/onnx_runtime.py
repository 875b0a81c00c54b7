"""ONNX Runtime, which tells nobody what it does.

Its builds for Linux, macOS and Windows send events about every session to their vendor and keep an identifier of the
machine on its disk, unless this variable is set before the library is loaded; its own function for that comes too late
for the first event. Whatever runs a model imports the library from here.
"""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

__all__ = ["onnxruntime"]
