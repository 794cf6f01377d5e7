"""The image, the compose file and the manifests: replayed and checked without a container engine."""

import contextlib
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPConnection
from importlib.resources import files
from pathlib import Path

import kubernetes_validate
import pytest
from jsonschema import Draft7Validator
from ruamel.yaml import YAML

USER = 10001
MAPPED = re.compile(r"(?<![\w.])/(?=(?:src|opt|srv|tmp)\b)")
STEP_TIMEOUT_S = 400
KUBERNETES = "1.36"


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile, with continued lines joined."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [
        (name, rest.strip())
        for name, _, rest in (line.partition(" ") for line in joined.splitlines() if line)
    ]


def values(name: str, dockerfile: list[tuple[str, str]]) -> list[str]:
    """Return what stands after each instruction of a name."""
    return [rest for each, rest in dockerfile if each == name]


@pytest.fixture(scope="module")
def dockerfile(repository: Path) -> list[tuple[str, str]]:
    """The instructions of the project's image."""
    return instructions((repository / "Dockerfile").read_text(encoding="utf-8"))


def documented_arguments(repository: Path) -> list[str]:
    """Return the arguments of the image's entry point in the deployment page."""
    page = (repository / "docs/how-to/deploy.md").read_text(encoding="utf-8").replace("\\\n", " ")
    (line,) = re.findall(r"^docker run .*$", page, re.MULTILINE)
    words = shlex.split(line)
    return words[words.index("mcp-gen-ui") + 1 :]


def test_the_image_has_two_stages_no_root_user_and_a_health_check(dockerfile: list[tuple[str, str]]) -> None:
    assert len(values("FROM", dockerfile)) == 2
    assert all("-slim" in image for image in values("FROM", dockerfile))
    assert values("USER", dockerfile) == [f"{USER}:{USER}"]
    names = [name for name, _ in dockerfile]
    assert "ADD" not in names
    assert names.index("USER") > max(place for place, name in enumerate(names) if name in {"RUN", "COPY"})
    assert "healthcheck.py" in values("HEALTHCHECK", dockerfile)[0]
    assert json.loads(values("ENTRYPOINT", dockerfile)[0]) == ["mcp-gen-ui"]


def test_the_build_context_has_what_the_image_copies_and_nothing_else(
    dockerfile: list[tuple[str, str]], repository: Path
) -> None:
    lines = (repository / ".dockerignore").read_text(encoding="utf-8").splitlines()
    allowed = {line.removeprefix("!") for line in lines if line.startswith("!")}
    copied = {
        word for rest in values("COPY", dockerfile) if "--from" not in rest for word in rest.split()[:-1]
    }
    assert "*" in lines
    assert copied == allowed
    assert all((repository / each).exists() for each in copied)


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder for the image's file system, which another user can enter."""
    folder = Path(tempfile.mkdtemp(prefix="image-"))
    folder.chmod(0o755)
    yield folder / "root"
    shutil.rmtree(folder, ignore_errors=True)


def base_python() -> Path:
    """Return a Python that another user can also run, as the Python of the base image."""
    candidates = [
        sys._base_executable,
        *(f"/usr/bin/python3.{minor}" for minor in (14, 13, 12, 11)),
        "/usr/bin/python3",
    ]
    for each in map(Path, candidates):
        if each.exists() and runs_for_others(each):
            return each.resolve()
    return Path(sys._base_executable)


def runs_for_others(python: Path) -> bool:
    try:
        done = subprocess.run(
            [python, "-c", "import ensurepip"], cwd="/", capture_output=True, **as_user(), check=False
        )
    except OSError:
        return False
    return done.returncode == 0


def as_user() -> dict[str, object]:
    """Return the options that run a process as the image's user, or none if this process may not."""
    if not hasattr(os, "geteuid") or os.geteuid():
        return {}
    return {"user": USER, "group": USER, "extra_groups": []}


class Replay:
    """Replays the build of the image in a folder."""

    def __init__(self, root: Path, context: Path) -> None:
        self.root, self.context = root, context
        self.stage, self.stages = 0, root.parent / "stages"
        self.folder, self.environment = root, dict(os.environ)
        self.entry, self.health = [], []
        self.python = root.parent / "bin"
        self.python.mkdir()
        (self.python / "python").symlink_to(base_python())

    def inside(self, text: str) -> str:
        """Return a text with the image's paths replaced by paths in the folder."""
        return MAPPED.sub(f"{self.root}/", text)

    def run(self, instructions: list[tuple[str, str]]) -> None:
        """Replay each instruction."""
        for name, rest in instructions:
            getattr(self, f"do_{name.lower()}")(self.inside(rest))

    def do_arg(self, rest: str) -> None:
        """Ignore the versions of base images."""

    def do_from(self, rest: str) -> None:  # noqa: ARG002 -- each base image is this machine
        """Begin with an empty file system; keep the previous one as a stage."""
        if self.root.exists():
            self.root.rename(self.stages)
        for folder in ("", "tmp", "opt", "srv"):
            (self.root / folder).mkdir(mode=0o755)
        self.folder = self.root
        self.environment = {
            k: v for k, v in os.environ.items() if not k.startswith(("MCP_", "PYTHON", "VIRTUAL_"))
        }
        self.environment["PATH"] = f"{self.python}{os.pathsep}{os.environ['PATH']}"

    def do_workdir(self, rest: str) -> None:
        self.folder = Path(rest)
        self.folder.mkdir(parents=True, exist_ok=True)

    def do_copy(self, rest: str) -> None:
        *sources, target = rest.split()
        place = self.folder / target
        if sources[0].startswith("--from="):
            moved = self.stages / Path(sources[1]).relative_to(self.root)
            place.parent.mkdir(parents=True, exist_ok=True)
            moved.rename(place)
            return
        for source in map(self.context.joinpath, sources):
            if source.is_dir():
                shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, place / source.name if target.endswith("/") else place)

    def do_run(self, rest: str) -> None:
        done = subprocess.run(
            ["/bin/sh", "-c", rest], cwd=self.folder, env=self.environment, capture_output=True, text=True,
            check=False, timeout=STEP_TIMEOUT_S,
        )  # fmt: skip
        if done.returncode and re.search(
            r"NewConnectionError|No matching distribution|name resolution", done.stderr
        ):
            pytest.skip("no package index can be reached")
        assert done.returncode == 0, f"{rest}\n{done.stdout}\n{done.stderr}"

    def do_env(self, rest: str) -> None:
        for word in shlex.split(rest):
            name, _, value = word.partition("=")
            self.environment[name] = value
        if "PATH=" in rest:
            self.environment["PATH"] = (
                rest.split(maxsplit=1)[0].removeprefix("PATH=").replace("/usr/local/bin", str(self.python))
            )

    def do_user(self, rest: str) -> None:
        """Make the user the owner of the folder for temporary files, as a tmpfs does."""
        assert rest == f"{USER}:{USER}"
        (self.root / "tmp").chmod(0o1777)

    def do_expose(self, rest: str) -> None:
        assert rest == self.environment["MCP_GEN_UI_SERVE_PORT"]

    def do_healthcheck(self, rest: str) -> None:
        self.health = json.loads(rest.partition("CMD ")[2])

    def do_entrypoint(self, rest: str) -> None:
        self.entry = json.loads(rest)

    def do_cmd(self, rest: str) -> None:
        """Ignore the default arguments, because the deployment page's arguments replace them."""

    def command(self, words: list[str]) -> tuple[list[str], dict[str, object]]:
        """Return a command of the image, with the options that start it as the image does."""
        program = shutil.which(words[0], path=self.environment["PATH"])
        assert program is not None
        return [program, *words[1:]], {"cwd": self.folder, "env": self.environment, **as_user()}


@pytest.mark.matrix(quick=0)
@pytest.mark.skipif(os.name == "nt", reason="the steps are those of a POSIX shell")
def test_the_steps_of_the_image_give_a_wrapper_that_is_healthy(
    dockerfile: list[tuple[str, str]], repository: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = time.monotonic()
    image = Replay(root, repository)
    image.run(dockerfile)
    shutil.rmtree(image.stages)
    built_s = time.monotonic() - begun
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    image.environment |= {"MCP_GEN_UI_TOKEN": "a-long-random-word", "MCP_GEN_UI_SERVE_PORT": str(port)}
    before = listing(root)
    command, options = image.command([*image.entry, *documented_arguments(repository)])
    begun = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options
    )
    try:
        wait_until_ready(port)
        ready_s = time.monotonic() - begun
        assert status_of(port, "/healthz") == HTTPStatus.OK
        check, options = image.command(image.health)
        done = subprocess.run(check, capture_output=True, text=True, check=False, **options)
        assert done.returncode == 0, done.stderr
    finally:
        process.terminate()
        log = process.communicate(timeout=30)[1]
    assert process.returncode == 0, log
    assert "warn" not in log, log
    assert listing(root) == before
    megabytes = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) / 1e6
    with capsys.disabled():
        sys.stdout.write(
            f"\nimage: built in {built_s:.0f} s, {megabytes:.0f} MB above its base, ready in {ready_s:.1f} s\n"
        )


def listing(root: Path) -> dict[Path, int]:
    """Return the modification time of each file outside of the folder for temporary files."""
    return {
        path: path.lstat().st_mtime_ns for path in root.rglob("*") if path.relative_to(root).parts[0] != "tmp"
    }


def wait_until_ready(port: int) -> None:
    """Wait until the wrapper is ready."""
    last, deadline = None, time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if (last := status_of(port, "/readyz")) == HTTPStatus.OK:
                return
        except ConnectionError as error:
            last = error
        time.sleep(0.05)
    pytest.fail(f"not ready: {last}")


def status_of(port: int, path: str) -> int:
    """Return the status of a GET with a host name that the image allows."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    with contextlib.closing(connection):
        connection.request("GET", path, headers={"Host": "localhost"})
        return connection.getresponse().status


@pytest.fixture(scope="module")
def compose(repository: Path) -> dict:
    """The compose file."""
    return YAML(typ="safe").load((repository / "compose.yaml").read_text(encoding="utf-8"))


def test_the_compose_file_fits_its_schema(compose: dict) -> None:
    schema = json.loads(
        (files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json").read_text("utf-8")
    )
    assert [error.message for error in Draft7Validator(schema).iter_errors(compose)] == []
    broken = compose | {"services": {"one": {"ports": 8000}}}
    assert [*Draft7Validator(schema).iter_errors(broken)] != []


def test_the_compose_file_has_two_hardened_wrappers_and_one_store(compose: dict) -> None:
    services = compose["services"]
    assert services.keys() == {"wrapper-1", "wrapper-2", "valkey"}
    for service in services.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        for value in service["environment"].values():
            assert not re.search(r"(?:sk-|redis://:\w)", value)
    for name in ("wrapper-1", "wrapper-2"):
        assert all(port.startswith("127.0.0.1:") for port in services[name]["ports"])


def substituted(text: str) -> str:
    """Replace variables as compose does, with placeholders for required ones."""
    return re.sub(r"\$\{\w+(?::([-?])([^}]*))?\}", lambda each: each[2] if each[1] == "-" else "abc123", text)


def accepted(environment: dict[str, str], arguments: list[str]) -> str:
    """Check the configuration that a container would have, and return the command's output."""
    ours = {k: v for k, v in os.environ.items() if not k.startswith(("MCP_GEN_UI_", "ANTHROPIC"))}
    words = [sys.executable, "-m", "genui_cli", "config", "check", *arguments]
    done = subprocess.run(words, env={**ours, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def image_environment(dockerfile: list[tuple[str, str]]) -> dict[str, str]:
    """Return the image's variables for the wrapper."""
    words = [word.partition("=") for rest in values("ENV", dockerfile) for word in shlex.split(rest)]
    return {name: value for name, _, value in words if name.startswith("MCP_GEN_UI_")}


def test_the_wrapper_accepts_the_variables_of_the_compose_file(compose: dict, dockerfile: list) -> None:
    service = compose["services"]["wrapper-1"]
    environment = {name: substituted(value) for name, value in service["environment"].items()}
    said = accepted(image_environment(dockerfile) | environment, [])
    assert "warn" not in said.lower()


@pytest.fixture(scope="module")
def manifests(repository: Path) -> list[dict]:
    """Every manifest of the folder."""
    yaml = YAML(typ="safe")
    paths = sorted((repository / "deploy/kubernetes").glob("*.yaml"))
    named = yaml.load((repository / "deploy/kubernetes/kustomization.yaml").read_text(encoding="utf-8"))[
        "resources"
    ]
    assert sorted(named) == [path.name for path in paths if path.name != "kustomization.yaml"]
    texts = [path.read_text(encoding="utf-8") for path in paths if path.name in named]
    return [each for text in texts for each in yaml.load_all(text)]


def test_the_manifests_fit_the_schemas_of_kubernetes(manifests: list[dict]) -> None:
    assert len(manifests) == 7
    for manifest in manifests:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**manifests[0], "date": {}}, KUBERNETES, strict=True)


def pods(manifests: list[dict]) -> list[dict]:
    """Return the pods of the deployments."""
    return [each["spec"]["template"] for each in manifests if each["kind"] == "Deployment"]


def test_the_pods_are_hardened_and_have_probes_and_limits(manifests: list[dict]) -> None:
    for pod in pods(manifests):
        assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
        assert pod["spec"]["automountServiceAccountToken"] is False
        (container,) = pod["spec"]["containers"]
        context = container["securityContext"]
        assert (context["readOnlyRootFilesystem"], context["allowPrivilegeEscalation"]) == (True, False)
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert container["livenessProbe"]
        assert container["readinessProbe"]
        assert "memory" in container["resources"]["limits"]


def test_secrets_stand_in_the_manifests_by_name_only(manifests: list[dict]) -> None:
    assert not any(each["kind"] == "Secret" for each in manifests)
    variables = [each for pod in pods(manifests) for each in pod["spec"]["containers"][0].get("env", [])]
    for variable in variables:
        if re.search(r"TOKEN|PASSWORD|KEY|AUTH", variable["name"]):
            assert variable["valueFrom"]["secretKeyRef"]["name"] == "mcp-gen-ui"


def test_services_and_policies_select_pods_and_probes_send_an_allowed_name(manifests: list[dict]) -> None:
    labels = [pod["metadata"]["labels"] for pod in pods(manifests)]
    for each in manifests:
        if each["kind"] == "Service":
            assert each["spec"]["selector"] in labels
        if each["kind"] == "NetworkPolicy":
            assert each["spec"]["podSelector"]["matchLabels"] in labels
    (config,) = [each["data"] for each in manifests if each["kind"] == "ConfigMap"]
    wrapper = pods(manifests)[0]["spec"]["containers"][0]
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        (header,) = wrapper[probe]["httpGet"]["httpHeaders"]
        assert header == {"name": "Host", "value": config["MCP_GEN_UI_SERVE_ALLOWED_HOSTS"].split(",")[0]}


def test_the_wrapper_accepts_the_variables_of_the_manifests(manifests: list[dict], dockerfile: list) -> None:
    (config,) = [each["data"] for each in manifests if each["kind"] == "ConfigMap"]
    wrapper = pods(manifests)[0]["spec"]["containers"][0]
    given = {each["name"]: each.get("value", "abc123") for each in wrapper["env"]}
    given["MCP_GEN_UI_CACHE_URL"] = given["MCP_GEN_UI_CACHE_URL"].replace("$(VIEWS_PASSWORD)", "abc123")
    said = accepted(image_environment(dockerfile) | config | given, [])
    assert "warn" not in said.lower()
