"""Which network domains views may use (``security``): none, unless a person grants some."""

from attrs import field, frozen

from genui_core.domain.setting import note


@frozen(kw_only=True)
class GrantedDomains:
    """The domains that a host is told to let views reach; each field says itself what for."""

    connect: tuple[str, ...] = field(
        default=(), metadata=note("security.connectDomains", "Origins that views may send requests to.")
    )
    resource: tuple[str, ...] = field(
        default=(),
        metadata=note(
            "security.resourceDomains", "Origins that views may load images, fonts and styles from."
        ),
    )
    frame: tuple[str, ...] = field(
        default=(), metadata=note("security.frameDomains", "Origins that views may show in a frame.")
    )
    base_uri: tuple[str, ...] = field(
        default=(),
        metadata=note("security.baseUriDomains", "Origins that a view's document may take as its base."),
    )
