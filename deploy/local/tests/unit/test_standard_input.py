"""Standard input that its reader need not wait for."""

import os

from lovsvar_local.standard_input import standard_input


def test_what_comes_in_is_read_line_by_line_to_its_end() -> None:
    read, write = os.pipe()
    os.write(write, "én\nto\n".encode())
    os.close(write)
    with standard_input(read) as given:
        assert given.reader.readlines() == ["én\n", "to\n"]


def test_it_can_be_ended_while_more_may_come() -> None:
    read, write = os.pipe()
    with standard_input(read) as given:
        os.write(write, b"begynt\n")
        assert given.reader.readline() == "begynt\n"
        given.end()
        given.end()
        assert given.reader.read() == ""
    os.close(write)
