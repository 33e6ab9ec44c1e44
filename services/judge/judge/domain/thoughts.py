"""Remove the reasoning that models write before their answers, between tags such as `<think>`."""

import re

_THOUGHTS = re.compile(
    r"<(think|thinking|thought|reasoning|analysis|scratchpad)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_END_OF_THOUGHTS = re.compile(r"</(?:think|thinking|thought|reasoning|analysis|scratchpad)>", re.IGNORECASE)
_OTHER_THOUGHTS = re.compile(r"\[THINK\].*?(?:\[/THINK\]|\Z)|◁think▷.*?(?:◁/think▷|\Z)", re.DOTALL)
_CHAT_TOKEN = re.compile(r"<\|[\w-]{1,40}\|>|</s>\s*\Z|<(?:eos|end_of_turn)>\s*\Z")


def has_thoughts(text: str) -> bool:
    return any(tags.search(text) is not None for tags in (_THOUGHTS, _END_OF_THOUGHTS, _OTHER_THOUGHTS))


def without_thoughts(text: str) -> str:
    """Return the text without chat tokens, and without reasoning between tags such as `<think>`.

    Text after a tag that never closes is reasoning, too: the answer was cut off before it began. So is all text before
    a closing tag, because some chat templates put the opening tag into the prompt.
    """
    if "[THINK]" in text or "◁think▷" in text:
        text = _OTHER_THOUGHTS.sub(" ", text)
    if "<" not in text:
        return text
    text = _CHAT_TOKEN.sub(" ", text)
    ends = list(_END_OF_THOUGHTS.finditer(text))
    # Some chat templates put the opening tag into the prompt, so only the closing one is in the answer.
    rest = text[ends[-1].end() :] if ends else text
    return _THOUGHTS.sub(" ", rest)
