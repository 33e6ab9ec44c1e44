"""Sign in to a platform with LLMBENCH_AUTH=on. The key is never printed."""

from llmbench_cli.errors import CommandFailed
from llmbench_cli.settings import read_settings


def sign_in_headers() -> dict[str, str]:
    """Return the header with LLMBENCH_API_KEY. The result is empty if the variable is not set.

    Raises `CommandFailed` for a value with characters that no key has.
    """
    secret = read_settings().api_key
    if secret is None:
        return {}
    key = secret.get_secret_value()
    if not key.replace("_", "").isalnum() or not key.isascii():
        raise CommandFailed("LLMBENCH_API_KEY is no API key: it begins with llmb_ and has only letters and digits")
    return {"Authorization": f"Bearer {key}"}
