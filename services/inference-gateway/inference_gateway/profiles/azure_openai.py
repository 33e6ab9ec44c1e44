"""Azure OpenAI: its deployments and api-versions are not spoken yet, and this says so."""

from inference_gateway.domain.http_call import HttpCall, Streaming
from inference_gateway.profiles.base import NotPossible, Profile
from llmbench.contracts.chat import ChatRequest
from llmbench.contracts.provider import ProviderSnapshot, ProviderType


class AzureOpenAi(Profile):
    type = ProviderType.AZURE_OPENAI

    def completion(self, provider: ProviderSnapshot, request: ChatRequest, streaming: Streaming) -> HttpCall:
        raise NotPossible(
            "llmbench does not speak Azure's deployment URLs yet; Azure's OpenAI-compatible /openai/v1 endpoint "
            "works as a provider of type CUSTOM_OPEN_AI_COMPATIBLE"
        )


PROFILE = AzureOpenAi()
