"""The tables of sign-in through OpenID Connect: the identities of people at issuers, and unfinished sign-ins.

Like `person` and `web_session` they belong to no organisation. Tokens of issuers are stored nowhere.
"""

from sqlalchemy import Boolean, Column, ForeignKey, Index, LargeBinary, Table, Text, UniqueConstraint, Uuid

from llmbench.db.columns import id_column, now_column, time_column
from llmbench.db.ownership import owned_by
from llmbench.db.tables.metadata import metadata

person_login = Table(
    "person_login",
    metadata,
    id_column(),
    # The issuer's URL and the `sub` of its ID tokens, exactly as the issuer writes them. An issuer never gives this
    # pair to another person.
    Column("issuer", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("person_id", Uuid, ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
    # True if the account was created by the first sign-in with this login. The groups at the issuer then also decide
    # its role.
    Column("manages_role", Boolean, nullable=False),
    # The time at which the person lost the membership because of the groups. A removal by an admin does not set it.
    time_column("withdrawn_at"),
    now_column("created_at"),
    now_column("last_used_at"),
    UniqueConstraint("issuer", "subject"),
    Index(None, "person_id"),
    info=owned_by("identity"),
)

sign_in_attempt = Table(
    "sign_in_attempt",
    metadata,
    # Hashes of the `state`, and of the cookie in the browser where the attempt began.
    Column("state_hash", LargeBinary, primary_key=True),
    Column("browser_hash", LargeBinary, nullable=False),
    Column("issuer_name", Text, nullable=False),
    Column("redirect_uri", Text, nullable=False),
    Column("next_path", Text, nullable=False),
    # The person who links a login to their account; null for a sign-in.
    Column("person_id", Uuid, ForeignKey("person.id", ondelete="CASCADE")),
    # The hash of the token of the invitation that the sign-in accepts; null for another attempt.
    Column("invitation_hash", LargeBinary),
    time_column("expires_at", nullable=False),
    Index(None, "expires_at"),
    info=owned_by("identity"),
)

session_login = Table(
    "session_login",
    metadata,
    # The login by which a session began, so that signing out can end the session at the issuer too.
    Column("session_id", Uuid, ForeignKey("web_session.id", ondelete="CASCADE"), primary_key=True),
    Column("login_id", Uuid, ForeignKey("person_login.id", ondelete="CASCADE"), nullable=False),
    # The id of the session at the issuer (`sid`), if the issuer names one.
    Column("issuer_session", Text),
    Index(None, "login_id"),
    info=owned_by("identity"),
)

logout_token = Table(
    "logout_token",
    metadata,
    # Ids of logout tokens that were used, as hashes: each works once. They are forgotten when the tokens are too old.
    Column("issuer", Text, primary_key=True),
    Column("id_hash", LargeBinary, primary_key=True),
    time_column("expires_at", nullable=False),
    Index(None, "expires_at"),
    info=owned_by("identity"),
)
