"""Run the steps of the GitHub action and of the GitLab template as runners do, in a clean environment."""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from llmbench_cli.embedded.binaries import checkout

FOLDER = checkout() / "deploy" / "ci"
TIMEOUT_S = 540.0
_EXPRESSION = re.compile(r"\$\{\{\s*inputs\.([a-z-]+)\s*\}\}")
_VARIABLE = re.compile(r"\$([A-Z_]+)")


def read(name: str) -> dict[str, Any]:
    """Return the content of the YAML file `name` in `deploy/ci`."""
    document: dict[str, Any] = yaml.safe_load((FOLDER / name).read_text("utf-8"))
    return document


@dataclass(frozen=True)
class Ended:
    """The result of a CI job: its exit code, and everything that it printed."""

    code: int
    printed: str


@dataclass
class Runner:
    """A runner with an empty home. `tools` is the folder of the programs that its image has, and `settings` are
    variables of the machine; nothing else of this process's environment is visible.
    """

    folder: Path
    tools: Path
    settings: Mapping[str, str] = field(default_factory=dict)

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "HOME": str(self.folder),
            "PATH": f"{self.tools}:/usr/bin:/bin",
            "TMPDIR": str(self.folder / "tmp"),
            **self.settings,
            **more,
        }

    def run(self, script: str, environment: Mapping[str, str], *, at: Path) -> Ended:
        """Run a script with bash, as runners do."""
        done = subprocess.run(
            ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=at,
            env=dict(environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        return Ended(done.returncode, done.stdout)


@dataclass
class GitHub:
    """GitHub's runner: it fills in the inputs, and passes the paths and outputs of a step on to the following steps."""

    runner: Runner
    workspace: Path

    def job(self, step: str, inputs: Mapping[str, str], secrets: Mapping[str, str] | None = None) -> Ended:
        """Run the step named `step` of `deploy/ci/action.yml` with these inputs of the action. `secrets` are
        environment variables that a user's workflow sets, such as API keys."""
        action = read("action.yml")
        values = {name: str(entry.get("default", "")) for name, entry in action["inputs"].items()}
        values |= inputs
        (found,) = [entry for entry in action["runs"]["steps"] if entry.get("name") == step]
        files = {name: self.runner.folder / name for name in ("GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        added = files["GITHUB_PATH"].read_text().split()
        environment = self.runner.environment(
            GITHUB_ACTIONS="true",
            GITHUB_WORKSPACE=str(self.workspace),
            RUNNER_TEMP=str(self.runner.folder),
            **{name: str(file) for name, file in files.items()},
            **{**{name: _filled(text, values) for name, text in found["env"].items()}, **(secrets or {})},
        )
        environment["PATH"] = os.pathsep.join([*added, environment["PATH"]])
        at = self.workspace / _filled(found.get("working-directory", "."), values)
        return self.runner.run(found["run"], environment, at=at)


@dataclass
class GitLab:
    """GitLab's runner: it sets the variables, and runs the scripts of a job in one shell."""

    runner: Runner
    project: Path

    def job(self, part: str, variables: Mapping[str, str], secrets: Mapping[str, str] | None = None) -> Ended:
        """Run `before_script` or `script` with these variables of the job. `secrets` are variables of the project."""
        template = read("gitlab.yml")[".llmbench"]
        environment = self.runner.environment(
            GITLAB_CI="true", CI_PROJECT_DIR=str(self.project), CI_BUILDS_DIR=str(self.runner.folder)
        )
        for name, text in {**template["variables"], **variables, **(secrets or {})}.items():
            environment[name] = _VARIABLE.sub(lambda match: environment[match[1]], text)
        return self.runner.run("\n".join(template[part]), environment, at=self.project)


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda match: values[match[1]], text)
