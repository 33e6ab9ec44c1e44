"""Test the generators of documentation on small inputs."""

from pathlib import Path

from sqlalchemy import Column, ForeignKey, Integer, MetaData, Table, Text

from llmbench.db.tables import metadata
from tools.gen.entities import columns, entities, relations
from tools.gen.http import http_page

METADATA = MetaData()
BOOK = Table("book", METADATA, Column("id", Integer, primary_key=True), Column("title", Text, nullable=False))
LOAN = Table(
    "loan",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("book_id", Integer, ForeignKey("book.id"), nullable=False),
    Column("previous_id", Integer, ForeignKey("loan.id")),
)
COVER = Table("cover", METADATA, Column("book_id", Integer, ForeignKey("book.id"), primary_key=True))


def test_entity_has_its_columns_with_types_and_keys() -> None:
    assert columns(LOAN) == [
        "    loan {",
        "        integer id PK",
        "        integer book_id FK",
        "        integer previous_id FK",
        "    }",
    ]


def test_optional_keys_and_one_to_one_keys_have_their_own_symbols() -> None:
    assert relations(LOAN) == [
        '    book ||--o{ loan : "book_id"',
        '    loan |o--o{ loan : "previous_id"',
    ]
    assert relations(COVER) == ['    book ||--o| cover : "book_id"']
    assert relations(LOAN, among=[LOAN]) == ['    loan |o--o{ loan : "previous_id"']


def test_page_of_entities_contains_every_table() -> None:
    (text,) = entities().values()
    assert [name for name in metadata.tables if f"    {name} {{\n" not in text] == []


def test_endpoint_and_its_request_body_become_table_rows() -> None:
    document = {
        "paths": {
            "/api/books/{id}": {
                "put": {
                    "tags": ["books"],
                    "summary": "Replace Book",
                    "description": "Replaces a book | its title.\n\nMore of it.",
                    "parameters": [
                        {"name": "id", "in": "path", "required": True},
                        {"name": "dry_run", "in": "query"},
                        {"name": "If-Match", "in": "header"},
                    ],
                    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}}},
                    "responses": {"200": {"content": {"text/csv": {"schema": {"type": "string"}}}}, "422": {}},
                }
            }
        },
        "components": {
            "schemas": {
                "Book": {
                    "required": ["title"],
                    "properties": {
                        "title": {"type": "string"},
                        "loans": {"type": "array", "items": {"$ref": "#/components/schemas/Loan"}},
                        "cover": {"anyOf": [{"$ref": "#/components/schemas/Cover"}, {"type": "null"}]},
                    },
                }
            }
        },
    }
    text = http_page({"library": document})[Path("docs/generated/http.md")]
    assert (
        "| `PUT /api/books/{id}` | `Book`, `If-Match?` (header), `dry_run?` | 200 `text/csv` "
        "| Replaces a book \\| its title. |"
    ) in text
    assert "| `Book` | `title`, `loans?` [Loan], `cover?` Cover |" in text
