"""Ports for what tests start."""

import socket
from pathlib import Path

import pytest

from lovsvar_testkit.processes import free_port

GIVEN = Path("/proc/sys/net/ipv4/ip_local_port_range")
LINUX_GIVES_FROM = 32_768


def test_a_free_port_can_be_listened_on_and_is_given_once() -> None:
    ports = [free_port() for _ in range(50)]
    assert len(set(ports)) == len(ports)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", ports[0]))


@pytest.mark.skipif(not GIVEN.exists(), reason="only Linux says which ports it gives to connections")
def test_a_free_port_is_none_that_connections_are_given() -> None:
    first, _ = map(int, GIVEN.read_text(encoding="ascii").split())
    if first < LINUX_GIVES_FROM:
        pytest.skip("connections are given more ports here than is usual")
    assert free_port() < first
