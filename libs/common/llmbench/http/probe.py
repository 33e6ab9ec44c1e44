"""Check the health of a service in an image without curl: `python -m llmbench.http.probe URL`.

The exit status is 0 if the URL answers 200 within 4 s, otherwise 1.
"""

import http.client
import sys
from urllib.parse import urlsplit

TIMEOUT_S = 4.0


def main() -> None:
    where = urlsplit(sys.argv[1])
    # urllib is not used: it would connect through a proxy from the environment, even to this machine.
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", where.path)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        sys.exit(f"{where.geturl()}: {error}")
    sys.exit(None if status == 200 else f"{where.geturl()}: {status}")


if __name__ == "__main__":
    main()
