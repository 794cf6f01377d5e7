from genui_core.application.services import BuiltViewKit
from genui_core.testing.view_kit import PlainViewKit, ViewKitContract


class TestBuiltViewKit(ViewKitContract):
    def make(self):
        return BuiltViewKit()


class TestPlainViewKit(ViewKitContract):
    def make(self):
        return PlainViewKit()
