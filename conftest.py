"""Load the fixtures for all test folders: real servers, started by the code of `llmbench up`."""

pytest_plugins = ["tests.fixtures"]
