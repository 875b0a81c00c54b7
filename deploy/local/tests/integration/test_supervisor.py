"""The supervisor with small scripts in place of the services, and real servers."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import psutil
import pytest

from conftest import DYING, GATEWAY, PATIENT, STUBBORN, script_command
