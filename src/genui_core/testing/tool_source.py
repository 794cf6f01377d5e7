"""What every source of answers promises, whatever its connection is made of.

The upstream behind the source under test is a `genui_core.testing.upstreams.scripted_upstream`: serve one
over your transport, inherit, say how to open the source, and let pytest run the rest. A source
that can be asked by its upstream inherits `AskedSourceContract` of `tool_source_questions` too.
"""

from genui_core.testing.upstreams.tool_source_answers import AnswersContract
from genui_core.testing.upstreams.tool_source_traffic import TrafficContract


class ToolSourceContract(AnswersContract, TrafficContract):
    """What holds in both generations."""
