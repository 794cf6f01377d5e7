"""Work of a studio's for a request of a host's, whose own model may be asked on the way."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from genui_core.application.input_rounds import InputRounds, Take
from genui_core.application.wrapper import Wrapper
from genui_core.errors import GenUiError
from genui_core.ports.host_model import HostModel, Params, lends_model

if TYPE_CHECKING:
    from genui_core.application.generation.view_studio import Work


@frozen
class Asker:
    """The request that something is made for.

    Attributes:
        method: Its method.
        params: Its params.
        capabilities: What its host says of itself.
        stateless: Whether it is of the 2026-07-28 generation.
        model: The way to the host's model, for the generations with a handshake.
    """

    method: str
    params: Params
    capabilities: object
    stateless: bool
    model: HostModel | None


@frozen
class AskedWork:
    """Begins work in the wrapper's studio, for hosts of every generation.

    Args:
        wrapper: Whose studio it is.
        rounds: Where the work waits for stateless hosts.
    """

    _wrapper: Wrapper
    _rounds: InputRounds

    def begin(
        self, asker: Asker, work: "Work[object]", take: Take, report: Callable[[str], None]
    ) -> Callable[[], None]:
        """Begin work, or go on with what waits for this request; return what gives it up.

        Args:
            asker: Who wants it.
            work: What is to be done.
            take: Called with what it came to, or with `InputRequired`.
            report: Receives progress, in words for a person.

        Raises:
            GenUiError: There is no studio.
        """
        studio = self._wrapper.studio
        if studio is None:
            raise GenUiError("This door has no studio to make views in.")
        if not (self._wrapper.asks_host and lends_model(asker.capabilities)):
            return studio.run(work, take, report)
        if not asker.stateless:
            return studio.run(work, take, report, asker.model)
        parked = self._rounds.take_up(
            asker.method, asker.params, lambda parked: studio.run(work, parked.landed, parked.tell, parked)
        )
        parked.serve(take, report, asker.params.get("inputResponses"))
        return parked.give_up
