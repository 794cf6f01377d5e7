"""Shows requirement D3."""

from genui_adapters.io.process import upstream_environment


def test_only_safe_and_configured_variables_are_passed():
    ours = {
        "PATH": "/bin", "HOME": "/root", "LC_ALL": "C", "LANG": "C", "TMPDIR": "/t",
        "ANTHROPIC_API_KEY": "canary", "OPENAI_API_KEY": "canary", "AWS_SECRET_ACCESS_KEY": "canary", "LD_PRELOAD": "x",
    }  # fmt: skip
    assert upstream_environment(ours, {"TOKEN": "given"}) == {
        "PATH": "/bin", "HOME": "/root", "LC_ALL": "C", "LANG": "C", "TMPDIR": "/t", "TOKEN": "given",
    }  # fmt: skip


def test_a_configured_variable_wins():
    assert upstream_environment({"PATH": "/bin"}, {"PATH": "/mine"}) == {"PATH": "/mine"}


def test_proxies_and_certificates_pass_however_their_names_are_written():
    network = {
        "HTTPS_PROXY": "http://proxy:3128", "https_proxy": "http://proxy:3128", "HTTP_PROXY": "p", "http_proxy": "p",
        "ALL_PROXY": "socks5://p", "all_proxy": "socks5://p", "NO_PROXY": "localhost", "no_proxy": "localhost",
        "SSL_CERT_FILE": "/ca.pem", "SSL_CERT_DIR": "/certs", "NODE_EXTRA_CA_CERTS": "/ca.pem",
        "REQUESTS_CA_BUNDLE": "/ca.pem", "CURL_CA_BUNDLE": "/ca.pem",
    }  # fmt: skip
    assert upstream_environment({**network, "PROXY_TOKEN": "canary"}, {}) == network
