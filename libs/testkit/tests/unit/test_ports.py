"""Ports for what tests start."""

import socket
from pathlib import Path

import pytest

from lovsvar_testkit.processes import free_port

GIVEN = Path("/proc/sys/net/ipv4/ip_local_port_range")


def test_a_free_port_can_be_listened_on_and_is_given_once() -> None:
    ports = [free_port() for _ in range(50)]
    assert len(set(ports)) == len(ports)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", ports[0]))


@pytest.mark.skipif(not GIVEN.exists(), reason="only Linux says which ports it gives to connections")
def test_a_free_port_is_none_that_connections_are_given() -> None:
    first, last = map(int, GIVEN.read_text(encoding="ascii").split())
    assert not first <= free_port() <= last
