"""Answer the edge, which asks about each request, and publish the keys that verify the answers.

The edge does not route these paths, so only processes of the platform reach them.
"""

from fastapi import APIRouter, Request, Response

from identity.credentials import ForwardedRequest, identify
from identity.state import Opened
from llmbench.http.principal_token import HEADER

router = APIRouter()


@router.get("/verify", include_in_schema=False)
async def verify(opened: Opened, request: Request) -> Response:
    """Respond with 200 and the principal as a header, or with the problem that the edge passes on to the client."""
    forwarded = ForwardedRequest(
        method=request.headers.get("x-forwarded-method", "GET").upper(),
        authorization=request.headers.get("authorization"),
    )
    principal = await identify(opened, request, forwarded)
    return Response(headers={HEADER: opened.signer.sign(principal), "Cache-Control": "no-store"})


@router.get("/jwks", include_in_schema=False)
async def jwks(opened: Opened) -> dict[str, object]:
    return opened.signer.key_set()
