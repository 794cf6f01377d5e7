"""Work of the generation worker's for a request of a host's, whose own model may be asked on the way."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from genui_core.application.requests.input_rounds import InputRounds, Take
from genui_core.application.tool_views import ToolViews
from genui_core.ports.host_model import HostModel, Params, lends_model

if TYPE_CHECKING:
    from genui_core.application.worker.generation_worker import Work


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
    """Starts work in the wrapper's generation worker, for hosts of both protocol eras.

    Args:
        views: The wrapper whose generation worker runs the work.
        rounds: Holds work that waits for stateless hosts.
    """

    _views: ToolViews
    _rounds: InputRounds

    def begin(
        self, asker: Asker, work: "Work[object]", take: Take, report: Callable[[str], None]
    ) -> Callable[[], None]:
        """Start work, or continue the work parked for this request; return a function that cancels it.

        Args:
            asker: The host's request that needs the work.
            work: The work to run.
            take: Called with the result, the error, or `InputRequired`.
            report: Receives progress, in words for a person.

        Raises:
            GenUiError: There is no generation worker.
        """
        worker = self._views.worker
        if not (self._views.services.asks_host and lends_model(asker.capabilities)):
            return worker.run(work, take, report)
        if not asker.stateless:
            return worker.run(work, take, report, asker.model)
        parked = self._rounds.take_up(
            asker.method, asker.params, lambda parked: worker.run(work, parked.landed, parked.tell, parked)
        )
        parked.serve(take, report, asker.params.get("inputResponses"))
        return parked.give_up
