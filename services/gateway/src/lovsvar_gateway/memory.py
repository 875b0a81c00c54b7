"""Giving memory back to the system, which the C library does not do by itself once many streams have ended."""

import ctypes
import gc


def give_back() -> None:
    """Free what nothing refers to, and return free pages to the system where the C library can (glibc)."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
