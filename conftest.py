"""Fixtures of every test folder: real servers, started by the code of `llmbench up`."""

pytest_plugins = ["tests.fixtures"]
