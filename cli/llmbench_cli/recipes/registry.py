"""Find the recipes: each module of `published` defines one."""

from functools import cache

from llmbench.plugins import plugins
from llmbench_cli.errors import CommandFailed
from llmbench_cli.recipes import published
from llmbench_cli.recipes.base import Recipe


@cache
def recipes() -> dict[str, Recipe]:
    return plugins(published, "RECIPE", Recipe, key=lambda recipe: recipe.name)


def recipe_of(name: str) -> Recipe:
    """Return the recipe with this name. Raises `CommandFailed` if there is none."""
    if name not in recipes():
        raise CommandFailed(f"there is no recipe {name!r}; there are {', '.join(recipes())}")
    return recipes()[name]
