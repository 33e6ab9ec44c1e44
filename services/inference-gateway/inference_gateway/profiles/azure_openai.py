"""Azure OpenAI: OpenAI's API at the user's own resource, where a model is a deployment.

There are two APIs, chosen by the option `api_version`:

* without the option, or with `preview` or `latest`: the v1 API, `/openai/v1/chat/completions`, with
  the deployment as `model`;
* with a date (`2024-10-21`): `/openai/deployments/{deployment}/chat/completions?api-version=…`.

A custom endpoint may contain `{deployment}`. The option `deployment` names the deployment in the URL, if its name is
not the model's. In a URL without a deployment, the option has no effect. The key comes from the provider's headers
(`api-key`).
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from inference_gateway.domain.urls import endpoint_url
from inference_gateway.profiles.base import REASONING_EFFORT, Example, NotPossible, Profile, inference_url
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.provider_type import HeaderInfo, OptionInfo, OptionRule, ProviderTypeInfo

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(-preview)?"
_DATED = re.compile(_DATE)
_V1 = "/openai/v1"
_MAX_DEPLOYMENTS = 200
_VERSION = OptionRule(
    json_type="string",
    pattern=rf"{_DATE}|preview|latest",
    message="must be a date as in 2024-10-21 or 2025-04-01-preview; leave it out for /openai/v1",
)
_DEPLOYMENT = OptionRule(
    json_type="string",
    pattern=r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}",
    message="is not the name of a deployment (letters, digits and .-_)",
)
_MESSAGES = [{"role": "user", "content": "Hi"}]


class AzureOpenAi(Profile):
    info = ProviderTypeInfo(
        type="AZURE_OPENAI",
        title="Azure OpenAI",
        description="OpenAI's models at your own Azure resource, where a model is a deployment.",
        position=50,
        base_url_example="https://my-resource.openai.azure.com",
        api_prefix=_V1,
        headers=(HeaderInfo(name="api-key", is_secret=True),),
        options=(
            OptionInfo(
                name="deployments",
                kind="list of texts",
                description="Names of the deployments: they are this provider's models. A resource does not tell them "
                "to an API key.",
                example=["gpt-4o-mini"],
            ),
            OptionInfo(
                name="api_version",
                kind="text",
                description="A dated API version, for a resource without the /openai/v1 API. Left out, /openai/v1 is "
                "used.",
                example="2024-10-21",
                rule=_VERSION,
            ),
            OptionInfo(
                name="deployment",
                kind="text",
                description="The deployment behind every model of this provider. Left out, the model's name is the "
                "deployment's.",
                example="prod-4o",
                rule=_DEPLOYMENT,
            ),
            REASONING_EFFORT,
        ),
        quirks=(
            "Without `api_version`, or with `preview` or `latest`, requests go to the v1 API, "
            "`/openai/v1/chat/completions`. With a date they go to "
            "`/openai/deployments/{deployment}/chat/completions?api-version=…`.",
            "`api_version` and `deployment` make the URL; no request contains them or `deployments`.",
            "An inference endpoint of your own may contain `{deployment}`.",
            "The limit of tokens is sent as `max_completion_tokens`.",
        ),
        list_prices="azure",
    )
    limit_field = "max_completion_tokens"
    names_deployments = True
    # `deployment` is not one of them: an embedding model has a deployment of its own.
    url_options = frozenset({"api_version"})

    def option_problems(self, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        problems = super().option_problems(options)
        if "deployments" in options:
            problems += _deployment_problems(options["deployments"])
        return problems

    def url(self, provider: ProviderSnapshot, model: str, options: dict[str, Any]) -> str:
        deployment = str(options.pop("deployment", model))
        if not deployment.strip("./"):
            raise NotPossible(f"{deployment!r} is no name of a deployment")
        name = quote(deployment, safe="")
        version = options.pop("api_version", None)
        # `deployments` is for the model list only, and never sent.
        options.pop("deployments", None)
        provider, endpoint = _with_dated_api(provider, provider.inference_endpoint, version)
        return _versioned(inference_url(provider, endpoint.replace("{deployment}", name)), version)

    def models_url(self, provider: ProviderSnapshot) -> str:
        version = provider.options.get("api_version")
        provider, endpoint = _with_dated_api(provider, provider.models_endpoint, version)
        return _versioned(endpoint_url(provider.base_url, endpoint), version)

    def named_models(self, provider: ProviderSnapshot) -> tuple[str, ...]:
        named = provider.options.get("deployments")
        return tuple(str(name) for name in named) if isinstance(named, list) else ()

    EXAMPLES = (
        Example(
            "the v1 API: the deployment is the model",
            endpoint="/openai/v1/chat/completions",
            request={"model": "my-gpt", "messages": _MESSAGES, "params": {"max_tokens": 8}},
            path="/openai/v1/chat/completions",
            body={
                "model": "my-gpt",
                "messages": _MESSAGES,
                "max_completion_tokens": 8,
                "stream": True,
                "stream_options": {"include_usage": True},
            },
        ),
        Example(
            "a dated api-version: the deployment is in the path",
            endpoint="/openai/v1/chat/completions",
            options={"api_version": "2024-10-21", "deployments": ["my gpt", "another"]},
            request={"model": "my gpt", "messages": _MESSAGES},
            path="/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21",
            body={
                "model": "my gpt",
                "messages": _MESSAGES,
                "stream": True,
                "stream_options": {"include_usage": True},
            },
        ),
        Example(
            "an endpoint of one's own, and a deployment that is not called as the model",
            endpoint="/openai/deployments/{deployment}/chat/completions",
            options={"api_version": "2025-01-01-preview", "deployment": "prod-4o"},
            request={"model": "gpt-4o", "messages": _MESSAGES},
            path="/openai/deployments/prod-4o/chat/completions?api-version=2025-01-01-preview",
            body={
                "model": "gpt-4o",
                "messages": _MESSAGES,
                "stream": True,
                "stream_options": {"include_usage": True},
            },
        ),
    )


def _deployment_problems(value: object) -> list[tuple[str, str]]:
    if not isinstance(value, list) or not 0 < len(value) <= _MAX_DEPLOYMENTS:
        return [("deployments", f"must be a list of 1 to {_MAX_DEPLOYMENTS} names")]
    problems = []
    for index, name in enumerate(value):
        if not _DEPLOYMENT.allows(name):
            problems.append((f"deployments.{index}", _DEPLOYMENT.message))
        elif name in value[:index]:
            problems.append((f"deployments.{index}", "is there already"))
    return problems


def _with_dated_api(provider: ProviderSnapshot, endpoint: str, version: object) -> tuple[ProviderSnapshot, str]:
    """Replace the default v1 endpoint by that of the dated API if `version` is a date such as 2024-10-21.

    The base URL then loses a trailing `/openai/v1`. A custom endpoint stays.
    """
    if not _DATED.fullmatch(str(version or "")):
        return provider, endpoint
    base = provider.base_url.rstrip("/")
    usual = endpoint.removeprefix(_V1)
    if usual not in ("/chat/completions", "/models"):
        return provider, endpoint
    provider = provider.model_copy(update={"base_url": base.removesuffix(_V1)})
    return provider, "/openai/models" if usual == "/models" else "/openai/deployments/{deployment}/chat/completions"


def _versioned(url: str, version: object) -> str:
    parts = urlsplit(url)
    if version is None or "api-version=" in parts.query:
        return url
    return f"{url}{'&' if parts.query else '?'}{urlencode({'api-version': str(version)})}"


PROFILE = AzureOpenAi()
