"""Define two sets of arguments for each command. With the first set, the command sends every request that it can send.
With the second set, it changes nothing.

The commands are in an order in which an owner can run all of them: commands that delete come last.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.platform import Platform
from tests.security.access_world import UNKNOWN
from tests.security.two_organisations import Furnished

WRITER = "writer"
PASSAGE = "leave is requested 2 weeks ahead."
LEAVE = "\f".join(f"Rule {page}: leave is requested {page} weeks ahead. " * 11 for page in range(1, 3))
AFTER_A_FAILURE = {"documents draft": {"datasets:delete"}, "documents generate": {"datasets:delete"}}
"""The rights for deleting the new dataset again, if the platform refuses the questions that were written for it."""
AFTER_A_LOOK = {"experiment results": {"runs:read"}}
"""The right that the command needs to name the judges of the experiment's runs, once there are results."""
WITH_A_SUITE = dict.fromkeys(
    ("baseline history", "baseline promote", "baseline delete", "gate check", "gate add", "gate delete"),
    frozenset({"suites:read"}),
)
"""The rights for finding the suite that `--suite` names. The commands take either a suite or a preset."""


async def furnish_more(stack: Platform, has: Furnished) -> None:
    """Create further objects for commands to use or delete, and a finished run in which a model has written questions
    about a document."""
    turn = {"question": "When?", "ground_truth": "2 weeks ahead.", "passage": PASSAGE}
    says = [{"when": ["Rule 2:"], "say": json.dumps({"conversations": [{"turns": [turn]}]})}]
    await stack.control(model=WRITER, **{"as": "mock-0ms"}, says=says)
    uploaded = await stack.http.post("/v1/documents", files={"file": ("Leave.md", LEAVE.encode())})
    assert uploaded.status_code == 201, uploaded.text
    published = await stack.post(f"/v1/documents/{uploaded.json()['document_id']}/publish", {"turns": 2})
    writer = [{"provider_id": has.provider_id, "model": WRITER}]
    written = await stack.post("/api/runs", published["run"] | {"targets": writer, "check_providers": False})
    await stack.until_status(written["id"], "FINISHED")
    await stack.post("/api/evaluation-presets", {"name": "Spare", "settings": {"max_retries": 2}})
    await stack.post("/api/prompts", {"name": "Spare", "user_template": "{{question}}"})
    targets = [{"provider_id": has.provider_id, "model": "mock-0ms"}]
    run = {"targets": targets, "collection_ids": [has.collection_id], "check_providers": False}
    run["evaluators"] = [{"kind": "exact_match"}]
    what = {"kind": "run", "request": run}
    await stack.post("/api/schedules", {"name": "Spare", "cron": "0 0 29 2 *", "what": what})


Arguments = tuple[str, ...]


@dataclass(frozen=True)
class Files:
    """The folder with the input files that the tested commands read, such as run files and data to import."""

    folder: Path

    def write(self, has: Furnished) -> None:
        """Write all input files. They refer to objects of the organisation in `has`, such as its provider and
        collection."""
        target = f"{{provider: {has.marker} provider, model: mock-0ms}}"
        evaluators = "evaluators: [{kind: contains, params: {text: '2'}}]\n"
        texts = {
            "user.txt": "Now: {{question}}",
            "run.yaml": f"name: A run\ntargets: [{target}]\ncollections: [{has.marker} collection]\n{evaluators}"
            f"check_providers: false\npreset: {has.marker} preset\nbaseline: last\n",
            "unknown.yaml": "name: A run\ntargets: [{provider: None, model: mock-0ms}]\ncollections: [None]\n",
            "suite.yaml": f"name: New\ntasks:\n  - name: sums\n    source: {{collection: {has.marker} collection}}\n"
            "    evaluators: [{kind: contains, params: {text: '2'}}]\n",
            # The file names each kind of object that it may name, so that the command needs all of its rights.
            "experiment.yaml": "name: New\nprimary_metric: score\nvariants: [{name: a, is_control: true}, "
            f"{{name: b, config: {{prompt: {has.marker} prompt}}}}]\n"
            f"collections: [{has.marker} collection]\ndatasets: [{has.marker} dataset]\n",
            "gsm8k.jsonl": json.dumps({"question": "One and one?", "answer": "So it is 2.\n#### 2"}) + "\n",
            "cases.csv": "id,input,expected_output\na,b,c\n",
            "bad.csv": "nothing,known\n1,2\n",
            "tasks.csv": "task_id,category,question\nimported,c,?\n",
            "config.json": "{}",
            "labels.yaml": "name: More labels\ninstructions: Read.\nannotation_schema: {type: text}\n",
            "people.csv": "case,label\nnone,1\n",
            "judge.jsonl": json.dumps({"question": "?", "answer": "2", "right": "pass"}) + "\n",
            "outputs.jsonl": json.dumps({"id": "o-1", "question": "?", "output": "2"}) + "\n",
            "Leave.md": LEAVE,
        }
        for name, text in texts.items():
            (self.folder / name).write_text(text)

    def __getitem__(self, name: str) -> str:
        return str(self.folder / name)


def working(has: Furnished, files: Files) -> dict[str, tuple[Arguments, ...]]:
    """Return, for each command, arguments that name existing objects of the organisation. The name `last` is the
    organisation's newest run."""
    name = has.marker
    preset = ("--preset", f"{name} preset")
    baseline = (*preset, "--label", name)
    provider = f"{name} provider"
    judge = ("--judge", WRITER, "--provider", provider, "-m", "rubric")
    leap_day = ("--cron", "0 0 29 2 *")
    writes = ("--model", f"{provider}:{WRITER}", "--chunk-characters", "500", "--no-check-providers")
    model = f"{provider}:mock-0ms"
    in_ci = ("--dataset", f"Of CI={files['cases.csv']}", "--no-check-providers")
    return {
        "list": ((),),
        "show": (("last",),),
        "watch": (("last",),),
        "compare": (("last", has.ids["run_id"]),),
        "trends": ((), ("--suite", f"{name} suite")),
        "export": (("last", "--format", "json", "--output", files["export.json"], "--force"),),
        "report": (("last", "--into", files["reports"], "--force"),),
        "report-links create": (("last", "--expires", "1"),),
        "report-links list": (("last",),),
        "report-links revoke": ((has.ids["run_id"], "--all"),),
        "export-tasks": ((files["tasks-out.csv"], "--collection", f"{name} collection"),),
        "import": ((files["tasks.csv"],),),
        "evaluate": (
            ("--input", "?", "--output", "2", *judge),
            (files["outputs.jsonl"], *judge),
        ),
        "judge check": (("--judge", f"{provider}:{WRITER}", "--data", files["judge.jsonl"]),),
        "judge list": ((),),
        "judge show": ((has.ids["check_id"], "--wrong"),),
        "run": ((files["run.yaml"],),),
        "pause": (("last",),),
        "resume": (("last",),),
        "move": (("last",),),
        "cancel": (("last",),),
        "promote": ((has.ids["run_id"], has.revision_id),),
        "overrule": ((has.ids["run_id"], has.ids["item_id"], "--score", "3", "--why", "?"),),
        "retry": (("last", "--judge", model, "--detach"), ("last",)),
        "datasets list": ((),),
        "datasets create": (("Made",),),
        "datasets upload": ((f"{name} dataset", files["cases.csv"]), ("Bad", files["bad.csv"], "--create")),
        "datasets publish": ((f"{name} dataset",),),
        "datasets sample": ((f"{name} dataset", "1"),),
        "datasets export": ((f"{name} dataset",),),
        "documents add": ((files["Leave.md"], "--name", "Again.md"),),
        "documents list": ((),),
        "documents show": ((f"{name}.txt",),),
        "documents generate": (("Leave.md", *writes),),
        "documents draft": (("last", "--dataset", "Drafted"),),
        "annotation list": ((),),
        "annotation create": (
            (files["labels.yaml"], "--dataset", f"{name} dataset", "--activate"),
            (files["labels.yaml"], "--run", "last"),
        ),
        "annotation progress": ((f"{name} labels",),),
        "annotation export": ((f"{name} labels",),),
        "annotation ground-truth": ((f"{name} labels",),),
        "calibrations list": ((), ("--run", "last")),
        "calibrations create": ((files["people.csv"], "--run", "last"), ("--task", f"{name} labels")),
        "calibrations show": ((f"{name} calibration",),),
        "calibrations plan": ((f"{name} calibration",),),
        "calibrations rename": ((f"{name} calibration", f"{name} calibration"),),
        "calibrations delete": ((f"{name} calibration",),),
        "presets list": ((),),
        "presets create": (("Made",),),
        "presets import": ((files["config.json"], "--name", "Imported"),),
        "suites list": ((),),
        "suites show": ((f"{name} suite",),),
        "suites export": ((f"{name} suite",),),
        "suites apply": ((files["suite.yaml"],),),
        "suites add": (("everyday",),),
        "suites from-recipe": (("gsm8k", files["gsm8k.jsonl"], "--publish"),) * 2,
        "suites leaderboard": ((f"{name} suite", "--provider", provider),),
        "ci": (
            (files["suite.yaml"], "--target", model, "--provider", "name=CI,url=http://127.0.0.1:9", *in_ci),
            (files["suite.yaml"], "--target", model, *in_ci),
        ),
        "suites run": (
            (
                f"{name} suite",
                "--model",
                f"{provider}:mock-0ms",
                "--judge",
                f"{provider}:mock-0ms",
                "--no-check-providers",
            ),
        ),
        "schedules list": ((),),
        "schedules next": ((leap_day[1],),),
        "schedules create": (
            (files["run.yaml"], "--name", "Rare", *leap_day),
            ("--suite", f"{name} suite", "-m", model, "--name", "Rarer", *leap_day),
        ),
        "schedules history": ((f"{name} schedule",),),
        "schedules pause": ((f"{name} schedule",),),
        "schedules resume": ((f"{name} schedule",),),
        "schedules run": ((f"{name} schedule",),),
        "experiment list": ((),),
        "experiment plan": ((files["experiment.yaml"],),),
        "experiment create": ((files["experiment.yaml"],),),
        "experiment start": ((f"{name} experiment",),),
        "experiment pause": ((f"{name} experiment",),),
        "experiment resume": ((f"{name} experiment",),),
        "experiment results": ((f"{name} experiment",),),
        "experiment conclude": ((f"{name} experiment", "--winner", "control"),),
        # Watching ends at once, because the experiment does not run.
        "experiment watch": ((f"{name} experiment",),),
        "experiment record": ((f"{name} experiment",),),
        "baseline list": ((),),
        "baseline history": (baseline,),
        "baseline promote": (("last", *baseline),),
        "gate list": ((),),
        "gate check": (baseline, (has.ids["run_id"], "--margin", "0.5")),
        "gate add": (
            ("score", "--margin", "0.9", *baseline),
            ("cost", "--margin", "0.9", *baseline),
        ),
        "gate delete": (("score", *baseline),),
        "baseline delete": (baseline,),
        "prompt list": ((),),
        "prompt show": ((f"{name} prompt",),),
        "prompt diff": ((f"{name} prompt", "1"),),
        "prompt preview": (
            (f"{name} prompt", "--collection", f"{name} collection"),
            (f"{name} prompt", "--dataset", f"{name} dataset"),
        ),
        "prompt create": (("Made", "--user", files["user.txt"]), (f"{name} prompt", "--user", files["user.txt"])),
        "prompt delete": (("Spare",),),
        "schedules delete": (("Spare", "--yes"),),
        "presets delete": (("Spare",),),
        "documents delete": (("Leave.md",),),
        "delete": (("last", "--yes"),),
        "prune": (("--older-than", "0.0001h", "--yes"),),
    }


def harmless(work: Mapping[str, tuple[Arguments, ...]], files: Files) -> dict[str, tuple[Arguments, ...]]:
    """Return, for each command, arguments with which the command changes nothing, even if its caller has every
    right."""
    baseline = ("--preset", "None")
    changing = {
        "import": ((files["tasks.csv"], "--dry-run"),),
        "evaluate": (("--input", "?", "--output", "2", "-m", "none"),),
        "judge check": (("--judge", "none:none"),),
        "run": ((files["unknown.yaml"], "--preset", "None"),),
        "promote": ((UNKNOWN, UNKNOWN),),
        "overrule": ((UNKNOWN, UNKNOWN, "--score", "3", "--why", "?"),),
        "retry": ((UNKNOWN, "--judge", "none:none"),),
        "report-links create": ((UNKNOWN,),),
        "report-links revoke": ((UNKNOWN, UNKNOWN),),
        "datasets create": (("x" * 300,),),
        "datasets upload": (("None", files["bad.csv"]),),
        "datasets publish": (("None",),),
        "documents add": ((files["cases.csv"],),),
        "documents generate": (("None", "--model", "none:none"),),
        "documents draft": ((UNKNOWN, "--dataset", "None"),),
        "annotation create": ((files["unknown.yaml"],),),
        "annotation ground-truth": (("None",),),
        "calibrations create": ((files["people.csv"], "--run", UNKNOWN),),
        "calibrations rename": (("None", "Renamed"),),
        "calibrations delete": (("None",),),
        "presets create": (("x" * 300,),),
        "presets import": ((files["tasks.csv"],),),
        "suites apply": ((files["unknown.yaml"],),),
        "suites add": ((),),
        "suites from-recipe": ((),),
        "suites leaderboard": (("None",),),
        "ci": ((files["unknown.yaml"], "--target", "none:none"),),
        "suites run": (("None", "--model", "none:none"),),
        "schedules create": ((files["unknown.yaml"], "--name", "New", "--cron", "0 0 30 2 *"),),
        "baseline promote": ((UNKNOWN, *baseline),),
        "gate add": (("score", "--margin", "0.9", *baseline),),
        "gate delete": (("score", *baseline),),
        "baseline delete": (baseline,),
        "prune": (("--older-than", "0.0001h", "--dry-run"),),
        **dict.fromkeys(("pause", "resume", "move", "cancel"), ((UNKNOWN,),)),
        **{f"schedules {name}": (("None",),) for name in ("pause", "resume", "run")},
        **{f"experiment {name}": (("None",),) for name in ("start", "pause", "resume")},
        "experiment conclude": (("None", "--winner", "no_winner"),),
        "experiment create": ((files["tasks.csv"],),),
        "prompt create": (("x" * 300, "--user", files["user.txt"]),),
        **{f"{name} delete": (("None",),) for name in ("presets", "documents", "prompt")},
        "schedules delete": (("None", "--yes"),),
        "delete": ((UNKNOWN, "--yes"),),
    }
    return {**work, **changing}
