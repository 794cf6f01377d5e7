"""Every source of answers keeps the promises of its port, over real processes and real sockets."""

from genui_core.testing.scripted_source import open_scripted
from genui_core.testing.tool_source import ToolSourceContract
from genui_core.testing.tool_source_questions import AskedSourceContract


class TestScripted(ToolSourceContract, AskedSourceContract):
    def open(self, host, notice, owner):
        return open_scripted(host, notice, owner)


class TestScriptedStateless(ToolSourceContract):
    stateless = True

    def open(self, host, notice, owner):
        return open_scripted(host, notice, owner)
