"""The requests the orchestrator itself words: a case's question, and the warm-up."""

from llmbench.contracts.case import Case
from llmbench.contracts.chat import ChatMessage, ChatRequest, SamplingParams
from llmbench.contracts.embedding import EmbeddingRequest

WARM_UP_PROMPT = "Hello, World!"
WARM_UP_MAX_TOKENS = 8


def case_request(case: Case, *, model: str, params: SamplingParams) -> ChatRequest:
    """The same case and target give the same request: items need not keep both.

    One system message, the target's words before the case's: several are refused by some models.
    """
    told = "\n\n".join(filter(None, (params.system_prompt, case.system_prompt)))
    system = (ChatMessage(role="system", content=told),) if told else ()
    asked = f"Context:\n{case.context}\n\nQuestion:\n{case.question}" if case.context else case.question
    return ChatRequest(
        model=model,
        messages=(*system, *case.conversation, ChatMessage(role="user", content=asked)),
        params=params.model_copy(update={"system_prompt": None, "response_schema": None}),
        response_schema=params.response_schema,
    )


def warm_up_embedding(model: str, params: SamplingParams) -> EmbeddingRequest:
    """An embedding model is warmed up by what it does: it cannot write."""
    return EmbeddingRequest(model=model, texts=(WARM_UP_PROMPT,), options=params.options)


def warm_up_request(model: str, params: SamplingParams) -> ChatRequest:
    """Short, and with the options of the first target, so that they force no reload later."""
    return ChatRequest(
        model=model,
        messages=(ChatMessage(role="user", content=WARM_UP_PROMPT),),
        params=SamplingParams(max_tokens=WARM_UP_MAX_TOKENS, options=params.options),
    )
