"""The source of an invented provider type, `ACME`. Tests add this file to a copy of the repository, as an engineer
would."""

PATH = "services/inference-gateway/inference_gateway/profiles/acme.py"
MODULE = '''"""Acme: OpenAI's API under `/acme`, with a key header and a warmth of its own."""

from collections.abc import Mapping
from typing import Any

from inference_gateway.domain.http_call import Routing
from inference_gateway.domain.model_abilities import ModelAbilities
from inference_gateway.profiles.base import Example, Profile
from llmbench.contracts.provider_type import HeaderInfo, OptionInfo, OptionRule, ProviderTypeInfo

_MESSAGES = [{"role": "user", "content": "Hi"}]


class Acme(Profile):
    info = ProviderTypeInfo(
        type="ACME",
        title="Acme",
        description="The hosted models of Acme.",
        base_url_example="https://models.acme.example",
        api_prefix="/acme/v1",
        headers=(HeaderInfo(name="X-Acme-Key", is_secret=True), HeaderInfo(name="X-Acme-App", value="llmbench")),
        options=(
            OptionInfo(
                name="warmth",
                kind="number",
                description="How friendly answers are.",
                example=0.5,
                rule=OptionRule(json_type="number", minimum=0, maximum=1, message="must be a number from 0 to 1"),
            ),
        ),
        quirks=("Each request names its region.",),
    )

    def extras(
        self, options: Mapping[str, Any], body: Mapping[str, Any], abilities: ModelAbilities
    ) -> tuple[dict[str, Any], Routing, tuple[str, ...]]:
        return {"region": "eu"}, Routing.ANY, ()

    EXAMPLES = (
        Example(
            "the region is always there",
            endpoint="/acme/v1/chat/completions",
            request={"model": "m", "messages": _MESSAGES},
            path="/acme/v1/chat/completions",
            body={
                "model": "m",
                "messages": _MESSAGES,
                "stream": True,
                "stream_options": {"include_usage": True},
                "region": "eu",
            },
        ),
    )


PROFILE = Acme()
'''
