"""The model of the host in front of a relay, for hosts of the generations with a handshake."""

from collections.abc import Callable, Mapping

from attrs import frozen

from genui_core.domain.session.relay import Relay
from genui_core.errors import GenUiError, HostRefused
from genui_core.ports.host_model import SAMPLING, HostModel, Params, Result


@frozen
class RelayedModel(HostModel):
    """Asks with requests of our own, of which the upstream hears nothing."""

    _relay: Relay

    def ask(self, params: Params, then: Callable[[Result | GenUiError], None]) -> Callable[[], None]:
        """Ask the host."""

        def answered(message: Mapping[str, object]) -> None:
            result, error = message.get("result"), message.get("error")
            if isinstance(result, Mapping):
                then(result)
            else:
                then(HostRefused(error if isinstance(error, Mapping) else {"message": "no answer"}))

        return self._relay.ask_host(SAMPLING, params, answered)
