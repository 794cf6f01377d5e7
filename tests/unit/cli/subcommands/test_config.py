"""``mcp-gen-ui config``."""

import json
from pathlib import Path

import pytest


def test_the_first_file_is_valid_and_is_not_replaced(command):
    code, out, _ = command("config", "init", "--", "npx", "-y", "server")
    assert (code, out.strip()) == (0, "mcp-gen-ui.json")
    assert json.loads(Path("mcp-gen-ui.json").read_text())["upstream"] == {
        "command": "npx",
        "args": ["-y", "server"],
    }
    assert command("config", "check")[0] == 0
    code, _, err = command("config", "init")
    assert code == 2
    assert "there already" in err
    assert command("config", "init", "--force")[0] == 0


def test_the_first_file_can_be_written_for_every_folder(command, tmp_path):
    _, out, _ = command("config", "init", "--user")
    assert Path(out.strip()).is_relative_to(tmp_path / "home")
    _, shown, _ = command("config", "show", "--json")
    assert Path(json.loads(shown)["file"]) == Path(out.strip())


@pytest.mark.parametrize("words", [("x.toml",), ("x.json", "--user")])
def test_a_first_file_that_cannot_be_written_is_refused(command, words):
    code, out, err = command("config", "init", *words)
    assert (code, out) == (2, "")
    assert err.startswith("mcp-gen-ui: ")


def test_config_check_reports_every_error(command):
    Path("mcp-gen-ui.json").write_text(
        '{"generation": {"timeoutMs": 1, "mode": "x"}, "cache": {"type": "nosuch"}}'
    )
    code, out, _ = command("config", "check")
    assert code == 1
    for said in ("generation.timeoutMs is 1", "generation.mode", "no view store named 'nosuch'"):
        assert said in out
    code, out, _ = command("config", "check", "--json")
    assert [each["path"] for each in json.loads(out)["problems"]] == [
        "generation.timeoutMs",
        "generation.mode",
        "cache.type",
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"llm": {"provider": "antropic"}}, "Did you mean 'anthropic'?"),
        ({"llm": {"provider": "anthropic"}}, "ANTHROPIC_API_KEY"),
        ({"llm": {"provider": "replay"}}, "replay:FOLDER"),
        ({"generation": {"promptsDirectory": "nowhere"}}, "no such folder"),
        ({"brand": {"css": "nowhere.css"}}, "nowhere.css: No such file"),
        ({"brand": {"logo": "mcp-gen-ui.json"}}, "no PNG, JPEG, GIF or WebP"),
    ],
)
def test_config_check_reports_errors_that_only_a_start_would_show(command, content, said):
    Path("mcp-gen-ui.json").write_text(json.dumps(content))
    code, out, _ = command("config", "check")
    assert code == 1
    assert said in out


def test_config_show_prints_values_with_their_sources_and_without_secrets(command):
    content = {
        "llm": {"provider": "openai", "apiKey": "canary"},
        "generation": {"hints": {"t": {"kind": "chart"}}},
    }
    Path("mcp-gen-ui.json").write_text(json.dumps(content))
    code, out, err = command(
        "config", "show", "--json", "--llm", "openai:gpt", MCP_GEN_UI_LLM_TEMPERATURE="1"
    )
    values = json.loads(out)["values"]
    assert code == 0
    assert values["llm.model"] == {"value": "gpt", "source": "--llm"}
    assert values["llm.temperature"]["source"] == "the variable MCP_GEN_UI_LLM_TEMPERATURE"
    assert values["generation.hints"]["value"] == {"t": {"kind": "chart"}}
    assert "generation.timeoutMs" not in values
    assert "canary" not in out + err
    assert "holds a key" in err
    assert json.loads(command("config", "show", "--json", "--all")[1])["values"]["generation.timeoutMs"] == {
        "value": 60000,
        "source": "default",
    }


def test_the_flag_quiet_suppresses_warnings(command):
    Path("mcp-gen-ui.json").write_text('{"llm": {"provider": "openai", "apiKey": "canary"}}')
    assert command("config", "show", "-q")[2] == ""


def test_the_schema_is_json(command):
    assert json.loads(command("config", "schema")[1])["properties"]["llm"]


def test_an_error_can_be_printed_as_json(command):
    code, out, err = command("config", "show", "--config", "nowhere", "--json")
    assert (code, out) == (2, "")
    assert json.loads(err)["error"] == {
        "code": "USAGE",
        "message": "--config names 'nowhere', and there is no such file",
        "hint": "mcp-gen-ui config init writes one",
    }


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        ({"llm": {"provider": "anthropic"}}, "set the provider's key"),
        ({"llm": {"provider": "antropic"}}, "use one of these names"),
        ({"cache": {"type": "rediss"}}, "use one of these names"),
        ({"generation": {"promptsDirectory": "nowhere"}}, "mcp-gen-ui prompts eject"),
        ({"brand": {"css": "nowhere.css"}}, "docs/views.md"),
        ({"generation": {"timeoutMs": 1}}, "mcp-gen-ui config schema"),
        ({"generation": {"timeotMs": 1}}, "did you mean generation.timeoutMs?"),
    ],
)
def test_each_error_has_its_own_hint(command, content, hint):
    Path("mcp-gen-ui.json").write_text(json.dumps(content))
    code, out, _ = command("config", "check")
    assert code == 1
    assert hint in next(line for line in out.splitlines() if line.startswith("  hint: "))
    (problem,) = json.loads(command("config", "check", "--json")[1])["problems"]
    assert hint in problem["hint"]
