"""The image, as far as it can be tested without an engine: what is copied is there, and what is run exists.

hadolint and the compose file's schema are used where they are installed (requirements-dev.txt has both).
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from mivspool import alive
from mivspool.cli import COMMANDS, app, parser_for, serve
from mivspool.service.guard import ALIVE
from mivspool.settings import STREAMLIT_HEALTH, Settings
from tests.service.backends import served
from tests.test_house import ROOT
from tools import pin

DEPLOY = ROOT / "deploy"
START = DEPLOY / "start.sh"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


@dataclass(frozen=True)
class Step:
    """One instruction of the Dockerfile, in its stage."""

    stage: int
    word: str
    rest: str

    @property
    def flags(self) -> dict[str, str]:
        return dict(
            part[2:].split("=", 1) for part in self.rest.split() if part.startswith("--") and "=" in part
        )

    @property
    def parts(self) -> list[str]:
        """What follows the flags; of a list in JSON, its elements."""
        if self.rest.startswith("["):
            return [str(one) for one in json.loads(self.rest)]
        return [part for part in shlex.split(self.rest) if not part.startswith("--")]


def steps() -> Iterator[Step]:
    text = re.sub(r"^\s*#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.M)
    stage = -1
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if line.strip():
            word, rest = line.split(None, 1)
            stage += word == "FROM"
            yield Step(stage, word, rest.strip())


STEPS = list(steps())
LAST = max(step.stage for step in STEPS)
IGNORED = [
    line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line and line[0] != "#"
]


def of(word: str, stage: int = LAST) -> list[Step]:
    return [step for step in STEPS if step.word == word and step.stage == stage]


def is_sent(path: Path) -> bool:
    """Whether a path of the repository is sent to the build: the last line of .dockerignore that fits decides."""
    names = [str(path), *map(str, path.parents)]
    sent = True
    for line in IGNORED:
        pattern = line.removeprefix("!")
        plain = pattern.removeprefix("**/")
        fits = any(fnmatch.fnmatch(name, pattern) for name in names) or (
            plain != pattern and any(fnmatch.fnmatch(Path(name).name, plain) for name in names)
        )
        if fits:
            sent = line.startswith("!")
    return sent


def test_every_instruction_is_one() -> None:
    known = {"FROM", "ARG", "ENV", "RUN", "COPY", "SHELL", "WORKDIR", "USER", "VOLUME", "EXPOSE"}
    assert {step.word for step in STEPS} <= known | {"HEALTHCHECK", "ENTRYPOINT", "CMD"}
    assert len({step.rest.split()[0] for step in STEPS if step.word == "FROM"}) == 1, "one base"


def test_what_is_copied_is_there_and_is_sent() -> None:
    copies = [step for step in STEPS if step.word == "COPY" and "from" not in step.flags]
    assert copies
    for step in copies:
        for source in step.parts[:-1]:
            found = list(ROOT.glob(source))
            assert found, f"{source} is not there"
            for path in found:
                files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
                assert any(is_sent(one.relative_to(ROOT)) for one in files), f"{source} is ignored"


def test_nothing_else_is_sent() -> None:
    copied = {Path(source).parts[0] for step in STEPS if step.word == "COPY" for source in step.parts[:-1]}
    names = {path.name for path in ROOT.iterdir()}
    assert {name for name in names if is_sent(Path(name))} <= copied
    assert not is_sent(Path("mivspool/__pycache__/a.pyc"))
    assert not is_sent(Path("tests/test_image.py"))


def test_what_is_copied_between_stages_was_made() -> None:
    """Only the environment: the code lies in it once, and not beside it."""
    for step in of("COPY"):
        if "from" in step.flags:
            source, target = step.parts
            assert source == target, "a virtual environment stays where it is"
            assert any(f"venv {source}" in run.rest for run in of("RUN", 0))
    assert not any(source in {"mivspool", ".", "app"} for step in of("COPY") for source in step.parts)


def test_every_variable_is_declared() -> None:
    for stage in range(LAST + 1):
        declared = {step.rest.split("=")[0] for step in of("ARG", stage)}
        for step in of("ENV", stage):
            for name in re.findall(r"\$\{?(\w+)", step.rest):
                assert name in declared | {"PATH"}


def test_it_runs_as_a_number_and_for_any_user_of_group_0() -> None:
    """Kubernetes asks for a number to see that it is not root; OpenShift takes any number, in group 0."""
    (user,) = of("USER")
    assert user.rest.isdecimal()
    made = " ".join(step.rest for step in of("RUN"))
    assert f"--uid {user.rest} --gid 0" in made
    home = next(step.rest for step in of("VOLUME"))
    assert f"-g 0 -m 0770 {home}" in made
    assert 'chgrp -R 0 "$NUMBA_CACHE_DIR"' in made
    assert 'chmod -R g=u "$NUMBA_CACHE_DIR"' in made
    assert f"MIVSPOOL_HOME={home}" in " ".join(step.rest for step in of("ENV"))


def commands() -> Iterator[list[str]]:
    """Every ``mivspool …`` that the image and the compose file start."""
    for step in of("CMD"):
        yield step.parts
    for service in COMPOSE["services"].values():
        if "command" in service:
            yield service["command"]


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_what_is_started_is_a_command(command: list[str]) -> None:
    assert command[0] == "mivspool"
    assert command[1] in COMMANDS
    given = parser_for(command[1]).parse_args(command[2:])
    assert given.host == "0.0.0.0"
    assert given.port in alive.PROBES
    assert str(given.port) in next(iter(of("EXPOSE"))).rest.split()


def test_a_first_process_that_ends_children_starts_it() -> None:
    (entry,) = of("ENTRYPOINT")
    init, *_, start = entry.parts
    assert re.search(rf"apt-get install .*\b{init}\b", " ".join(step.rest for step in of("RUN")))
    assert any(step.parts == ["deploy/start.sh", f"/usr/local/bin/{start}"] for step in of("COPY"))
    assert os.access(START, os.X_OK)
    assert START.read_text("utf-8").startswith("#!/bin/sh\n")


def test_the_health_check_knows_app_and_backend(tmp_path: Path) -> None:
    (check,) = of("HEALTHCHECK")
    assert check.rest.partition("CMD ")[2] == '["python", "-m", "mivspool.alive"]'
    assert alive.PROBES == {app.PORT: STREAMLIT_HEALTH, serve.PORT: ALIVE}
    with served(Settings(database_url=f"sqlite:///{tmp_path / 'jobs.sqlite'}"), run_jobs=False) as address:
        port = address.rpartition(":")[2]
        assert alive.main([port]) == 0
    assert alive.main([port]) == 1


@pytest.fixture
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that other accounts reach, as the image's cache is; this account may not write there."""
    folder = Path(tempfile.mkdtemp(prefix="mivspool-image-"))
    folder.chmod(0o755)
    (folder / "cache" / "arrays_1").mkdir(parents=True)
    (folder / "cache" / "arrays_1" / "loop.nbi").write_text("compiled")
    (folder / "tmp").mkdir(mode=0o777)
    (folder / "tmp").chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def started(folder: Path, *command: str, other: bool) -> str:
    """What a command that start.sh starts prints; by an account that cannot write the cache, if ``other``."""
    account = {"user": 65534, "group": 65534, "extra_groups": []} if other and os.getuid() == 0 else {}
    if other and not account:
        (folder / "cache").chmod(0o555)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "TMPDIR": str(folder / "tmp")}
    # (from its text: another account may not reach this checkout)
    run = subprocess.run(
        ["/bin/sh", "-c", START.read_text("utf-8"), "start", *command],
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
        env=environment,
        **account,
    )
    assert run.stderr == ""
    return str(run.stdout)


SHOW = ("sh", "-c", 'echo "$NUMBA_CACHE_DIR"; ls "$NUMBA_CACHE_DIR/arrays_1"')


def test_a_cache_that_can_be_written_is_used(cache: Path) -> None:
    assert started(cache, *SHOW, other=False).split() == [str(cache / "cache"), "loop.nbi"]


def test_of_a_cache_that_cannot_be_written_a_copy_is_used(cache: Path) -> None:
    for _ in range(2):  # also when the container is started again
        place, *files = started(cache, *SHOW, other=True).split()
        assert Path(place).parent == cache / "tmp"
        assert files == ["loop.nbi"]


def test_matplotlib_keeps_its_files_where_they_can_be_written(cache: Path) -> None:
    """On a read-only root its own place is not there: it would say so, and list the fonts again, in each process."""
    show = ("sh", "-c", 'echo "${MPLCONFIGDIR-none}"')
    assert started(cache, *show, other=False).strip() == "none"
    assert Path(started(cache, *show, other=True).strip()).parent == cache / "tmp"


def test_without_a_place_for_a_copy_it_starts_all_the_same(cache: Path) -> None:
    (cache / "tmp").chmod(0o755)
    if os.getuid() != 0:
        (cache / "tmp").chmod(0o555)
    assert started(cache, *SHOW, other=True).split()[0] == str(cache / "cache")


_LOOP = """
from mivspool.arrays.compiled import compiled

@compiled
def total(n):
    found = 0
    for i in range(n):
        found += i
    return found

total(3)
print(sum(total.stats.cache_hits.values()), sum(total.stats.cache_misses.values()))
"""


def test_what_was_compiled_in_one_folder_is_read_from_its_copy(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(_LOOP)

    def run(folder: Path) -> str:
        done = subprocess.run(
            [sys.executable, str(tmp_path / "loop.py")],
            capture_output=True,
            text=True,
            check=True,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "NUMBA_CACHE_DIR": str(folder),
                "NUMBA_CPU_NAME": "generic",
            },
        )
        return str(done.stdout.strip())

    assert run(tmp_path / "built") == "0 1"
    shutil.copytree(tmp_path / "built", tmp_path / "copy")
    assert run(tmp_path / "copy") == "1 0"


@pytest.mark.parametrize("name", ["app", *pin.EXTRAS])
def test_a_lock_has_every_pinned_package_with_its_hashes(name: str) -> None:
    text = (DEPLOY / f"{name}.lock").read_text("utf-8")
    locked = {}
    for block in re.split(r"\n(?=\S)", text.partition("\n")[2]):
        pinned, *hashes = block.replace("\\\n", " ").split()
        package, _, version = pinned.partition("==")
        locked[package] = version
        assert hashes, package
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", one) for one in hashes)
    pins = {}
    for file in ("requirements.txt", "requirements-dev.txt"):
        pins |= dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / file).read_text("utf-8"), re.M))
    assert {package: pins.get(package) for package in locked} == locked
    assert "torch" not in locked
    if name == "app":
        app_pins = set(re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text("utf-8"), re.M))
        assert set(locked) == app_pins - {"torch"}
    else:
        extra = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
            "optional-dependencies"
        ]
        wanted = {re.split(r"[\[><=]", line)[0] for line in extra[name]}
        assert wanted <= set(locked)


def test_hadolint_finds_nothing() -> None:
    hadolint = shutil.which("hadolint") or shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if hadolint is None:
        pytest.skip("hadolint is not installed (requirements-dev.txt)")
    run = subprocess.run([hadolint, str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False)
    assert run.stdout == ""
    assert run.returncode == 0


def test_the_compose_file_is_one() -> None:
    compose_spec = pytest.importorskip("compose_spec")
    made = compose_spec.PyCompose.from_json(json.dumps(COMPOSE))
    made.validate()
    made.to_spec()
    wrong = json.dumps({"services": {"app": {**COMPOSE["services"]["app-1"], "read_onlyy": True}}})
    with pytest.raises(ValueError, match="read_onlyy"):
        compose_spec.PyCompose.from_json(wrong)


def test_the_compose_file_names_what_is_there() -> None:
    services = COMPOSE["services"]
    declared = set(COMPOSE["volumes"])
    arguments = {step.rest.split("=")[0] for step in STEPS if step.word == "ARG"}
    read = {f"MIVSPOOL_{name.upper()}" for name in Settings.model_fields}
    for service in services.values():
        build = service.get("build", {})
        assert {name for name in service.get("environment", {}) if name.startswith("MIVSPOOL_")} <= read
        assert set(build.get("args", {})) <= arguments
        assert not build or (DEPLOY / build["context"] / "Dockerfile").resolve() == ROOT / "Dockerfile"
        assert set(service.get("depends_on", {})) <= set(services)
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in declared or (DEPLOY / source).exists() or source == "./tls"
    proxied = set(re.findall(r"server ([\w-]+):\d+;", (DEPLOY / "nginx.conf").read_text("utf-8")))
    assert proxied == {name for name in services if re.match(r"(app|backend)-\d", name)}
    assert len(proxied) == 4
