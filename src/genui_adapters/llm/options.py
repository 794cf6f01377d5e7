"""What every provider can be told (SPEC §11, ``llm``)."""

from attrs import field, frozen


@frozen(kw_only=True)
class ProviderOptions:
    """How to reach a model.

    Attributes:
        model: Its name.
        api_key: Never shown, not even in this object's own text.
        base_url: Another server than the provider's own.
        api: ``responses`` or ``chat``, where a provider has both; None for what fits the server.
        effort: How much a model that thinks is to think, in its provider's own words.
    """

    model: str
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    api: str | None = None
    effort: str | None = None
