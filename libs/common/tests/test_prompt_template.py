"""Test how prompts are parsed and rendered."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmbench.contracts.case import Case
from llmbench.contracts.prompt import Prompt, PromptVariable, VariableType
from llmbench.prompt_template import MAX_RENDERED_CHARACTERS, PromptError, complete_variables, render, uses

ID = UUID(int=1)
NUMBER = PromptVariable(name="n", type=VariableType.NUMBER)
LIST = PromptVariable(name="examples", type=VariableType.LIST)
# Rendered with 1,000 elements it would take a billion steps and write nothing.
NESTED = "{{#examples}}" * 3 + "{{/examples}}" * 3


def case(**fields: Any) -> Case:
    return Case(**{"id": ID, "task_id": "a", "category": "maths", "question": "What is 1 + 1?"} | fields)


def prompt(user: str, *declared: PromptVariable, system: str | None = None) -> Prompt:
    templates = [user] if system is None else [system, user]
    return Prompt(
        prompt_id=ID,
        version_id=ID,
        name="p",
        number=1,
        content_hash="0",
        system_template=system,
        user_template=user,
        variables=complete_variables(templates, declared),
    )


@pytest.mark.parametrize(
    ("template", "of_case", "rendered"),
    [
        ("Q: {{question}}", {}, "Q: What is 1 + 1?"),
        ("{{question}} <b> {{tone}}", {"metadata": {"tone": 'a & b "c" <d>'}}, 'What is 1 + 1? <b> a & b "c" <d>'),
        ("{{#context}}Context: {{context}}\n{{/context}}{{question}}", {}, "What is 1 + 1?"),
        ("{{#context}}Context: {{context}}. {{/context}}Go", {"context": "x"}, "Context: x. Go"),
        ("{{^context}}none{{/context}}{{question}}", {}, "noneWhat is 1 + 1?"),
        ("{{n}} {{{n}}} {{&n}}", {"metadata": {"n": 0}}, "0 0 0"),
        ("{{category}}: {{task_id}}", {}, "maths: a"),
        # A value is text, whatever it looks like.
        ("{{tone}}", {"metadata": {"tone": "{{question}} {{#x}}"}}, "{{question}} {{#x}}"),
        # A line that has only a section's tag leaves no line behind.
        ("a\n{{#context}}\nb\n{{/context}}\nc", {"context": "x"}, "a\nb\nc"),
    ],
)
def test_template_is_rendered_with_the_values_of_a_case(template: str, of_case: dict[str, Any], rendered: str) -> None:
    assert render(prompt(template), case(**of_case)).user == rendered


def test_section_is_repeated_for_each_element_of_a_list() -> None:
    of_objects = prompt("{{#examples}}{{q}} -> {{a}} ({{category}})\n{{/examples}}{{question}}", LIST)
    assert [variable.name for variable in of_objects.variables] == ["examples", "question"]
    examples = [{"q": "2 + 2", "a": 4}, {"q": "1 + 2", "a": 3, "category": "easy"}]
    rendered = render(of_objects, case(metadata={"examples": examples}))
    assert rendered.user == "2 + 2 -> 4 ()\n1 + 2 -> 3 (easy)\nWhat is 1 + 1?"
    plain = prompt("{{#examples}}- {{.}}\n{{/examples}}", LIST)
    assert render(plain, case(metadata={"examples": ["x", 2, True]})).user == "- x\n- 2\n- true\n"


def test_system_template_that_renders_to_nothing_is_no_message() -> None:
    optional = prompt("{{question}}", system="{{#tone}}Be {{tone}}.{{/tone}}")
    assert render(optional, case()).system is None
    assert render(optional, case(metadata={"tone": "brief"})).system == "Be brief."


def test_default_stands_in_for_a_missing_value() -> None:
    brief = prompt("{{tone}}: {{question}}", PromptVariable(name="tone", default="brief"))
    assert render(brief, case()).user == "brief: What is 1 + 1?"
    assert render(brief, case(metadata={"tone": "long"})).user == "long: What is 1 + 1?"


@pytest.mark.parametrize(
    ("made", "of_case", "message"),
    [
        (lambda: prompt("{{tone}}"), {}, "no 'tone' in its metadata"),
        (lambda: prompt("{{context}}"), {}, "no 'context'"),
        (lambda: prompt("{{tone}}"), {"metadata": {"tone": ["x"]}}, "not of the type string"),
        (lambda: prompt("{{n}}", NUMBER), {"metadata": {"n": True}}, "not of the type number"),
        (lambda: prompt("{{#tone}}x{{/tone}}"), {}, "user message is empty"),
        (lambda: prompt("{{question}}" * 50), {"question": "x" * 10_000}, "longer than 400,000"),
        (lambda: prompt(NESTED, LIST), {"metadata": {"examples": list(range(1_000))}}, "longer than 400,000"),
    ],
)
def test_case_that_a_prompt_cannot_be_rendered_with_is_refused(
    made: Any, of_case: dict[str, Any], message: str
) -> None:
    with pytest.raises(PromptError, match=message):
        render(made(), case(**of_case))


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{#a}}", "never closed|unclosed|EOF"),
        ("{{#a}}{{/b}}", "b"),
        ("{{a", "unclosed"),
        ("{{> /etc/passwd}}", "not supported"),
        ("{{metadata.tone}}", r"write \{\{tone\}\}"),
        ("{{.}}", "dot|no name"),
        ("{{ }}", "no name"),
        ("{{a b}}", "no name"),
        ("{{#a}}" * 11 + "{{/a}}" * 11, "nested"),
    ],
)
def test_template_that_is_wrong_is_refused(template: str, message: str) -> None:
    with pytest.raises(PromptError, match=message):
        uses(template)


def test_declaration_has_to_fit_the_templates() -> None:
    unused = PromptVariable(name="b")
    for declared, message in (
        ([unused], "no template uses"),
        ([PromptVariable(name="a"), PromptVariable(name="a")], "twice"),
        ([PromptVariable(name="a", type=VariableType.NUMBER, default="1")], "default"),
    ):
        with pytest.raises(PromptError, match=message):
            complete_variables(["{{a}}"], declared)


@given(st.text(max_size=60))
def test_any_text_is_rendered_or_refused(template: str) -> None:
    try:
        made = prompt(template)
        rendered = render(made, case(metadata={variable.name: "v" for variable in made.variables}))
    except PromptError:
        return
    assert len(rendered.user) <= MAX_RENDERED_CHARACTERS
    if "{{" not in template:
        assert rendered.user == template
