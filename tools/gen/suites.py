"""Generate the JSON Schema of suites, from which editors complete a suite's YAML file."""

import importlib
import json

from tools.gen import DOCS, Generated


def suite_schema() -> Generated:
    schema = importlib.import_module("config_api.suites.schemas").schema()
    return {DOCS / "suite.schema.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"}
