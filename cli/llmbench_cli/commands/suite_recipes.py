"""The command `llmbench suites from-recipe`: make a suite from a published benchmark's file, which the user has
downloaded."""

from pathlib import Path
from typing import Annotated

import typer

from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Url


@asks("datasets:create", "datasets:delete", "datasets:read", "suites:create")
def from_recipe(
    recipe: Annotated[
        str | None, typer.Argument(help="The benchmark; by default the recipes are listed.", show_default=False)
    ] = None,
    file: Annotated[
        Path | None,
        typer.Argument(
            exists=True, dir_okay=False, readable=True, help="The benchmark's file, as published.", show_default=False
        ),
    ] = None,
    *,
    name: Annotated[
        str | None, typer.Option(help="The name of suite and dataset; by default the benchmark's.", show_default=False)
    ] = None,
    size: Annotated[
        int | None,
        typer.Option(min=1, max=1_000_000, help="Ask only a random sample of this many cases.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**31 - 1,
            help="The sample's seed; by default it is derived from the suite's name.",
            show_default=False,
        ),
    ] = None,
    publish: Annotated[bool, typer.Option("--publish", help="Publish the suite, so that it can run.")] = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Create a suite and its dataset from a benchmark's file in its published form.

    The description of the suite says how the benchmark is measured, how llmbench differs, and which figures are
    published.
    """
    from llmbench_cli.client import with_client
    from llmbench_cli.commands.suites import done
    from llmbench_cli.errors import CommandFailed
    from llmbench_cli.recipes.make import NotAsPublished, cases_of, make_suite
    from llmbench_cli.recipes.registry import recipe_of, recipes
    from llmbench_cli.resources import say, show_response

    if recipe is None:
        for each in recipes().values():
            say(f"{each.name}  {each.files}")
        return
    chosen = recipe_of(recipe)
    if file is None:
        raise CommandFailed(f"name the file of {chosen.title}: {chosen.files}")
    if seed is not None and size is None:
        raise typer.BadParameter("a seed needs the --size of the sample")
    try:
        cases = cases_of(chosen, file)
    except NotAsPublished as bad:
        for fault in bad.faults:
            say(f"{file}: {fault}")
        raise
    applied = with_client(
        url,
        lambda client: make_suite(
            client, chosen, cases, name=name or chosen.title, size=size, seed=seed, publish=publish
        ),
    )
    show_response(applied, done(applied), as_json=as_json)
    if not as_json:
        for note in cases.notes():
            say(note)
