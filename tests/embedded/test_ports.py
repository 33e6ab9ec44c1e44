"""Test the choice of ports: a remembered port is reused while it is free, and the process that uses a port is named."""

import json
import os
import socket
from pathlib import Path

from llmbench_cli.embedded.ports import holder, is_free, sticky_ports


def _listener(port: int = 0) -> socket.socket:
    listener = socket.create_server(("127.0.0.1", port))
    listener.listen()
    return listener


def test_ports_are_remembered(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"
    first = sticky_ports(file, ["nats", "model"])
    assert len(set(first.values())) == 2
    assert sticky_ports(file, ["nats", "model"]) == first


def test_occupied_port_is_replaced_and_the_others_stay(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"
    first = sticky_ports(file, ["nats", "model"])
    with _listener(first["nats"]):
        second = sticky_ports(file, ["nats", "model"])
    assert second["nats"] != first["nats"]
    assert second["model"] == first["model"]


def test_port_of_an_absent_part_is_kept_for_it(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"
    first = sticky_ports(file, ["nats", "model"])
    sticky_ports(file, ["nats"])
    assert sticky_ports(file, ["nats", "model"]) == first


def test_public_port_is_never_chosen(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"
    port = sticky_ports(file, ["nats"])["nats"]
    assert sticky_ports(file, ["nats"], avoid={port})["nats"] != port


def test_damaged_port_file_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"
    file.write_text("{")
    ports = sticky_ports(file, ["nats"])
    assert json.loads(file.read_text()) == ports


def test_process_that_holds_a_port_is_named() -> None:
    with _listener() as listener:
        port = listener.getsockname()[1]
        assert not is_free(port)
        assert f"pid {os.getpid()}" in holder(port)
