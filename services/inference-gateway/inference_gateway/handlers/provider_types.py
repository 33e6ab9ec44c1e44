"""List the provider types, or describe one type and check the given options."""

from inference_gateway.profiles.registry import profiles, provider_types
from llmbench.contracts.describe_provider_type import DescribeProviderType, OptionProblem, ProviderTypeDescribed
from llmbench.contracts.list_provider_types import ListProviderTypes, ProviderTypesListed


def list_provider_types(_: ListProviderTypes) -> ProviderTypesListed:
    return ProviderTypesListed(types=provider_types())


def describe_provider_type(request: DescribeProviderType) -> ProviderTypeDescribed:
    known = tuple(info.type for info in provider_types())
    profile = profiles().get(request.provider_type)
    if profile is None:
        return ProviderTypeDescribed(known=known)
    problems = tuple(
        OptionProblem(field=field, message=message) for field, message in profile.option_problems(request.options)
    )
    return ProviderTypeDescribed(info=profile.info, known=known, problems=problems)
