"""What a process that reads documents gives up before it reads: memory, time, files, the network and other programs."""

import contextlib
import ctypes
import os
import platform
import struct
import sys

from lovsvar_cases.core.files.limits import Limits

_SET_SECCOMP, _NO_NEW_PRIVILEGES, _FILTER, _NOT_DUMPABLE = 22, 38, 2, 4
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _DENY, _KILL = 0x7FFF0000, 0x00050001, 0x80000000
_FOREIGN_CALLS = 0x40000000

# Numbers of system calls: socket, connect, bind, socketpair, execve, execveat, fork, vfork, ptrace, kill, unlink,
# unlinkat, rename, renameat, renameat2, process_vm_readv, process_vm_writev, io_uring_setup, where they exist.
_CALLS = {
    "x86_64": (0xC000003E, (41, 42, 49, 53, 59, 322, 57, 58, 101, 62, 87, 263, 82, 264, 316, 310, 311, 425)),
    "aarch64": (0xC00000B7, (198, 203, 200, 199, 221, 281, 117, 129, 35, 38, 276, 270, 271, 425)),
}


def enter(limits: Limits) -> bool:
    """Give up what reading needs not; return whether the system could forbid the network and other programs, too."""
    if sys.platform == "win32":
        return False
    import resource

    seconds = int(limits.seconds) + 1
    for name, value in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 128),
    ):
        # A system that knows a limit but cannot set it leaves the rest in force.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(name, (value, value))
    os.nice(5)
    return _forbid_calls()


def _forbid_calls() -> bool:
    if not sys.platform.startswith("linux") or platform.machine() not in _CALLS:
        return False
    architecture, calls = _CALLS[platform.machine()]
    program = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    program.append((_AT_LEAST, len(calls) + 1, 0, _FOREIGN_CALLS))
    program += [(_EQUAL, len(calls) - at, 0, call) for at, call in enumerate(calls)]
    program += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _DENY)]
    code = b"".join(struct.pack("HBBI", *line) for line in program)
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    filtered = Program(len(program), ctypes.addressof(buffer))
    libc.prctl(_NOT_DUMPABLE, 0, 0, 0, 0)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(filtered), 0, 0) == 0)
