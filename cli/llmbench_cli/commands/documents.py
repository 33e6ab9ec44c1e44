"""The commands `llmbench documents …`: manage documents, and have a model write questions from them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from llmbench_cli.resources import document_path, fail, print_json, say, show_response
from llmbench_cli.rights import asks
from llmbench_cli.runs.options import AsJson, Detach, Run, Url

if TYPE_CHECKING:
    from llmbench_cli.drafts import Draft

# The upload limit of config-api, checked here before a large file is sent.
MAX_BYTES = 50 * 1024 * 1024
_SHOWN = 20

documents = typer.Typer(
    help="Documents: add and show them, and have a model write questions with ground truth from them.",
    no_args_is_help=True,
)
Document = Annotated[str, typer.Argument(help="The document's name or id.")]
ClosedBook = Annotated[
    bool,
    typer.Option("--closed-book", help="Leave the extract out of the cases: for services that find it themselves."),
]


@documents.command("add")
@asks("documents:create")
def add_document(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="PDF, Markdown or text.")],
    *,
    name: Annotated[str | None, typer.Option(help="Unique among the documents; by default the file's name.")] = None,
    description: Annotated[str | None, typer.Option(help="What it is.")] = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Add a document. A document whose text cannot be read is refused with the reason (exit code 1)."""
    from llmbench_cli.client import with_client

    if file.stat().st_size > MAX_BYTES:
        fail(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MiB; add it in parts")
    fields = {"name": name, "description": description}
    with file.open("rb") as content:
        made = with_client(url, lambda client: client.upload("/v1/documents", content, name=file.name, fields=fields))
    show_response(made, f"✓ Added {made['name']}: {_size(made)}", as_json=as_json)


@documents.command("list")
@asks("documents:read")
def list_documents(
    *,
    q: Annotated[str | None, typer.Option("--q", help="Part of the name.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="The maximum number of documents.")] = 20,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """List documents, newest first."""
    from llmbench_cli.client import with_client

    given: dict[str, Any] = {"q": q, "limit": limit}
    query = {name: value for name, value in given.items() if value}
    page = with_client(url, lambda client: client.get("/v1/documents", **query))
    if as_json:
        print_json(page["documents"])
        return
    for entry in page["documents"]:
        say(f"{entry['name']}  {_size(entry)}")
    if page["has_more"]:
        say(f"… {page['total']} in all")


@documents.command("show")
@asks("documents:read")
def show_document(
    document: Document,
    *,
    page: Annotated[int | None, typer.Option(min=1, help="Print the text of this page.")] = None,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Show a document's properties, or the extracted text of one of its pages."""
    from llmbench_cli.client import Client, with_client

    async def look(client: Client) -> dict[str, Any]:
        path = await document_path(client, document)
        if page is None:
            return await client.get(path)
        return await client.get(f"{path}/pages", limit=1, offset=page - 1)

    shown = with_client(url, look)
    if page is None:
        show_response(shown, f"{shown['name']}  {_size(shown)}  {shown['document_id']}", as_json=as_json)
        return
    if not shown["pages"]:
        fail(f"there is no page {page}: the document has {shown['total']}")
    show_response(shown["pages"][0], shown["pages"][0]["text"], as_json=as_json)


@documents.command("delete")
@asks("documents:delete", "documents:read")
def delete_document(document: Document, *, url: Url = None) -> None:
    """Delete a document with its file. Datasets that were made from it stay."""
    from llmbench_cli.client import Client, with_client

    async def delete(client: Client) -> None:
        await client.delete(await document_path(client, document))

    with_client(url, delete)
    say(f"✓ Deleted {document}")


@documents.command("generate")
@asks(
    "datasets:create",
    "datasets:delete",
    "datasets:read",
    "documents:create",
    "documents:read",
    "providers:read",
    "runs:create",
    "runs:read",
)
def generate(  # noqa: PLR0913  # one parameter per option
    document: Document,
    *,
    model: Annotated[str, typer.Option(metavar="PROVIDER:MODEL", help="The model that writes the questions.")],
    dataset: Annotated[
        str | None, typer.Option(help="The dataset of the draft; by default '<document>: questions'.")
    ] = None,
    conversations: Annotated[int, typer.Option(min=1, max=20, help="At most this many conversations per chunk.")] = 3,
    turns: Annotated[int, typer.Option(min=1, max=10, help="At most this many questions per conversation.")] = 3,
    chunk_characters: Annotated[
        int, typer.Option(min=500, max=50_000, help="The approximate length of a chunk.")
    ] = 6_000,
    pages: Annotated[str | None, typer.Option(metavar="FIRST-LAST", help="Only these pages, such as 3-10.")] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(min=1, help="The token limit of an answer; by default it depends on the number of questions."),
    ] = None,
    max_cost_usd: Annotated[float | None, typer.Option(help="Pause the run when it has cost this much.")] = None,
    closed_book: ClosedBook = False,
    check_providers: Annotated[bool, typer.Option(help="Ask the provider for the model first.")] = True,
    detach: Detach = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Have a model write questions with ground truth from a document, as a draft version of a dataset.

    The questions are written by a run: `llmbench watch`, `pause`, `resume` and `cancel` work on it as on any other, and
    no paid answer is lost. Every question that is grounded in the document becomes a case of a DRAFT; the others are
    listed with the reason. Afterwards look at the draft, edit or delete cases, and publish it. If you stop watching,
    `llmbench documents draft` makes the draft later.
    """
    from llmbench_cli.client import Client, with_client
    from llmbench_cli.runs.generation import generated

    wanted = {
        "conversations": conversations,
        "turns": turns,
        "chunk_characters": chunk_characters,
        **_page_range(pages),
    }

    async def publish(client: Client) -> tuple[str, dict[str, Any]]:
        path = await document_path(client, document)
        name = (await client.get(path))["name"]
        return name, await client.post(f"{path}/publish", wanted)

    name, published = with_client(url, publish)
    body = published["run"] | {"max_cost_usd": max_cost_usd, "check_providers": check_providers}
    if max_tokens is not None:
        body["params"] |= {"max_tokens": max_tokens}
    run_id, code = generated(url, body, model=model, detach=detach)
    if run_id is not None:
        goal = dataset or f"{name[:240]}: questions"
        _make_draft(url, run_id, dataset=goal, closed_book=closed_book, as_json=as_json)
    raise typer.Exit(code)


@documents.command("draft")
@asks("datasets:create", "datasets:delete", "datasets:read", "runs:read")
def draft(
    run: Run,
    *,
    dataset: Annotated[str, typer.Option(help="The dataset's name or id; it is made when there is none.")],
    closed_book: ClosedBook = False,
    as_json: AsJson = False,
    url: Url = None,
) -> None:
    """Make a draft version of a dataset from the grounded questions that a run wrote. The rejected questions are listed
    with the reason."""
    from llmbench_cli.runs.generation import find_run

    _make_draft(url, find_run(url, run), dataset=dataset, closed_book=closed_book, as_json=as_json)


def _make_draft(url: str | None, run_id: str, *, dataset: str, closed_book: bool, as_json: bool) -> None:
    from llmbench_cli.client import with_client
    from llmbench_cli.drafts import make_draft

    made = with_client(url, lambda client: make_draft(client, run_id, dataset=dataset, closed_book=closed_book))
    if as_json:
        print_json({"dataset": made.dataset, "version": made.version, "refused": made.refused})
    else:
        _show_draft(made, run_id)
    if made.version is None:
        fail("the document supports no conversation, so there is no draft")


def _show_draft(made: "Draft", run_id: str) -> None:
    from llmbench_cli.safe_text import safe_line

    for refusal in made.refused[:_SHOWN]:
        number = f", conversation {refusal['conversation']}" if refusal["conversation"] else ""
        say(safe_line(f"✗ {refusal['task_id']} ({refusal['target']}){number}: {refusal['reason']}"))
    if len(made.refused) > _SHOWN:
        say(f"✗ … and {len(made.refused) - _SHOWN} more: `llmbench documents draft {run_id} --json` lists them all")
    if made.version:
        number, count = made.version["version_number"], made.version["row_count"]
        say(f"✓ Draft: version {number} of {made.dataset} with {count} cases, {len(made.refused)} refused")
        say(f"  Look at them, edit them, then `llmbench datasets publish '{made.dataset}'`.")


def _page_range(pages: str | None) -> dict[str, int]:
    if pages is None:
        return {}
    first, dash, last = pages.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        fail(f"{pages!r} are no pages: write 3-10, or 7")
    return {"first_page": int(first), "last_page": int(last or first)}


def _size(document: dict[str, Any]) -> str:
    pages = "1 page" if document["page_count"] == 1 else f"{document['page_count']} pages"
    empty = f" ({document['empty_page_count']} without text)" if document["empty_page_count"] else ""
    return f"{document['format']}, {pages}{empty}, {document['character_count']:,} characters"
