from genui_core.application.services import RandomIdentity
from genui_core.testing.identity import IdentityContract, NumberedIdentity


class TestRandomIdentity(IdentityContract):
    def make(self):
        return RandomIdentity()


class TestNumberedIdentity(IdentityContract):
    def make(self):
        return NumberedIdentity()
