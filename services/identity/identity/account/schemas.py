"""Define the bodies and responses of a person's own sessions and second factor."""

from typing import Self
from uuid import UUID

from pydantic import BaseModel, Field, model_validator

from identity.bodies import Code, Input, Password
from llmbench.contracts.base import UtcTime


class OwnSessionOut(BaseModel):
    id: UUID
    current: bool = Field(description="The session that asks.")
    created_at: UtcTime
    used_at: UtcTime = Field(description="Accurate to about a minute.")
    address: str | None
    device: str | None = Field(description="The browser's description of itself, which is not verified.")


class OwnSessions(BaseModel):
    items: list[OwnSessionOut]


class BeginSecondFactor(Input):
    password: Password = Field(description="Your own password, so that access to an open browser is not enough.")


class SecondFactorBegun(BaseModel):
    """A new second factor. It is in use once its first code is confirmed."""

    secret: str = Field(description="The secret in Base32, to be typed into the app.")
    uri: str = Field(description="The secret as an address `otpauth://…`.")
    picture: str = Field(description="The address as a QR code: an SVG picture as `data:` URL.")


class ConfirmSecondFactor(Input):
    code: Code


class RecoveryCodes(BaseModel):
    codes: list[str] = Field(
        description="Recovery codes, shown only now. Each works once, instead of a code of the app."
    )


class RenewRecoveryCodes(Input):
    """The request for new recovery codes. It needs the password or a code of the app, so that access to an open browser
    is not enough."""

    password: Password | None = None
    code: Code | None = Field(default=None, description="A code of the app; recovery codes do not count here.")

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if self.password is None and self.code is None:
            raise ValueError("give the password or a code of the app")
        return self


class RemoveSecondFactor(Input):
    password: Password
    code: Code = Field(description="A code of the app, or a recovery code.")


class SecondFactorOut(BaseModel):
    enabled: bool
    required: bool = Field(description="Whether the organisation requires one of every member.")
    recovery_codes: int = Field(description="The number of recovery codes that are left.")
