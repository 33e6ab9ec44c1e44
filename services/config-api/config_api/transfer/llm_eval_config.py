"""Import `llm_eval_config.json`, the configuration of a RAG evaluation tool (see docs/how-to/presets.md).

Its models become providers, its settings an evaluation preset. In that tool, a model is a connection with a key and,
for Azure, a deployment. In llmbench, a provider is the connection and a run names the model. So each imported provider
is returned with the model to use in a run.
"""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, HttpUrl, SecretStr, ValidationError, model_validator
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.conflicts import unique
from config_api.presets import store as preset_store
from config_api.presets.schemas import EvaluationSettings, PresetIn, RunSettings
from config_api.providers import store as provider_store
from config_api.providers.schemas import HeaderIn, ProviderIn
from config_api.providers.service import ProviderService
from llmbench.errors import FieldError, Problem
from llmbench.faults import faults_of

_TYPES = {
    "azure_openai": "AZURE_OPENAI",
    "openai": "OPENAI",
    "custom": "CUSTOM_OPEN_AI_COMPATIBLE",
}


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class EvalModel(_Part):
    name: Annotated[str, Field(min_length=1, max_length=50)]
    endpoint: HttpUrl
    api_key: SecretStr
    model_type: Literal["azure_openai", "openai", "custom"] = "azure_openai"
    deployment_name: Annotated[str, Field(max_length=255)] | None = None
    api_version: Annotated[str, Field(max_length=60)] = "2024-02-15-preview"


class EvalConfig(_Part):
    generator_model: EvalModel | None = None
    evaluation_models: list[EvalModel] = Field(default_factory=list, max_length=5)
    settings: EvaluationSettings = Field(default_factory=EvaluationSettings)

    @model_validator(mode="after")
    def _says_something(self) -> "EvalConfig":
        if not (self.generator_model or self.evaluation_models or self.settings.model_fields_set):
            raise ValueError("it is empty: it has to hold generator_model, evaluation_models or settings")
        return self

    @model_validator(mode="after")
    def _names_are_unique(self) -> "EvalConfig":
        names = [model.name for model in self.evaluation_models]
        if len(set(names)) < len(names):
            raise ValueError("two evaluation models have one name")
        generator = self.generator_model
        if generator and any(model != generator for model in self.evaluation_models if model.name == generator.name):
            raise ValueError("the generator has the name of another model")
        return self


class ImportedModel(BaseModel):
    """An imported model: a run uses it by `provider_id` and `model`."""

    name: str
    role: Literal["generator", "evaluation"]
    provider_id: UUID
    model: str


class ImportedConfig(BaseModel):
    models: list[ImportedModel]
    run: RunSettings
    max_conversation_history: int
    preset_id: UUID
    preset_name: str
    notes: list[str] = Field(description="Settings that had to be adapted.")


def roles(config: EvalConfig) -> list[tuple[Literal["generator", "evaluation"], EvalModel]]:
    generator: list[tuple[Literal["generator", "evaluation"], EvalModel]] = []
    if config.generator_model:
        generator = [("generator", config.generator_model)]
    return generator + [("evaluation", model) for model in config.evaluation_models]


def provider_of(model: EvalModel) -> ProviderIn:
    """Return the provider for a model of the file. Raises a 422 problem if the model's connection is not supported."""
    azure = model.model_type == "azure_openai"
    key = model.api_key.get_secret_value()
    header = ("api-key", key) if azure else ("Authorization", f"Bearer {key}")
    try:
        return ProviderIn(
            name=model.name,
            type=_TYPES[model.model_type],
            base_url=str(model.endpoint),
            options={"api_version": model.api_version, "deployments": [model_name(model)]} if azure else {},
            headers=[HeaderIn(header_key=header[0], is_secret=True, header_value=header[1])],
        )
    except ValidationError as error:
        first = faults_of(error, ProviderIn)[0]
        field = {"base_url": "endpoint", "name": "name"}.get(first.field, "api_key")
        message = f"of {model.name!r}: {first.message}"
        raise Problem(422, "Invalid request", f"{field} {message}", errors=[FieldError(field, message)]) from None


def model_name(model: EvalModel) -> str:
    """Return the name of the model in a run: its `deployment_name` if the file gives one, otherwise its `name`."""
    return model.deployment_name or model.name


async def import_eval_config(
    engine: AsyncEngine, providers: ProviderService, config: EvalConfig, *, preset_name: str
) -> ImportedConfig:
    """Import all models and settings of the file. If an error occurs, nothing is imported.

    Raises a 409 problem for a name that is taken, and a 422 problem for an invalid connection. Raises a 503 problem if
    the inference gateway does not answer.
    """
    bodies = {model.name: provider_of(model) for _, model in roles(config)}
    checked = {name: await providers.checked(body) for name, body in bodies.items()}
    ids: dict[str, UUID] = {}
    async with engine.begin() as connection:
        for name, body in bodies.items():
            with unique(provider_store.UNIQUE_NAME, what="provider", field="name", value=name):
                ids[name] = (await providers.create_in(connection, body, checked[name])).id
        with unique(preset_store.UNIQUE_NAME, what="evaluation preset", field="preset_name", value=preset_name):
            # Settings that were omitted have their defaults at this point, and are stored explicitly.
            settings = EvaluationSettings.model_validate(config.settings.model_dump())
            preset = await preset_store.insert_preset(connection, PresetIn(name=preset_name, settings=settings))
    return ImportedConfig(
        models=[
            ImportedModel(name=model.name, role=role, provider_id=ids[model.name], model=model_name(model))
            for role, model in roles(config)
        ],
        run=preset.run,
        max_conversation_history=config.settings.max_conversation_history,
        preset_id=preset.id,
        preset_name=preset.name,
        notes=preset.notes,
    )
