"""Fuzzing of the readers: mutations of valid files of every format, and coverage-guided by atheris.

    python -m tests.soak.fuzz_readers --count 100000           mutations, from a fixed seed
    python -m tests.soak.fuzz_readers --coverage --seconds 600 atheris (pip install atheris)

An input fails where anything but a ReadError comes out, where it takes over 5 seconds or 500 MB, where the graph
breaks a law, or where what is written of it does not read back. Input i depends on (seed, i) alone: ``--only i``
shows it again. Memory is the peak of the process while the input was read, over what it had before (Linux tells it);
the process has limits of memory and time besides, so that whatever goes past them ends it.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import dataclasses
import hashlib
import io
import json
import math
import multiprocessing
import random
import resource
import subprocess
import sys
import tempfile
import time
import traceback
import zipfile
from pathlib import Path

import networkx as nx

import mivspool.graphs.read
from mivspool.errors import ReadError
from mivspool.graphs import open_source
from mivspool.graphs.export import WRITERS, write_graph
from mivspool.graphs.read import read_graphs
from mivspool.settings import Limits
from tests.graphs.read import writers
from tests.graphs.read.cases import CASES

SECONDS, MEGABYTES = 5.0, 500
ASLEEP = 600.0  # seconds on the clock after which a process that is not at work is ended
_AT, _SINCE, _NEXT, _SLOWEST, _LARGEST = range(5)  # what a worker tells
LIMITS = Limits(seconds=SECONDS - 1)
TOKENS = [
    b"\0", b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\x80\x02", b'"', b"'", b"''", b'""', b"<", b">",
    b"&", b"&#0;", b"&#xD800;", b"]]>", b"<!--", b"<![CDATA[", b"<!DOCTYPE x>", b"<?xml?>", b"[", b"]",
    b"{", b"}", b"(", b")", b"[" * 200, b"{" * 200, b"(" * 200, b'{"a":' * 150, b"<a>" * 150, b"9" * 25,
    b"9" * 5000, b"-1", b"0", b"1e999", b"nan", b"NaN", b"inf", b"Infinity", b"null", b"true", b"1_0",
    b"0x10", b"\xd9\xa1", b"\n", b"\r", b"\r\n", b"\t", b" ", b",", b";", b"|", b":", b"::", b"--",
    b"->", b"#", b"%", b"//", b"/*", b"*/", b"*Vertices 3", b"*Matrix", b"*Edges", b"\xe2\x80\xae",
    b"\xe2\x80\xa8", b"=1+1", b"\\", b"\\u0000", b"\\ud800", b"\xf0\x9f\x98\x80", b"source", b"target",
    b"weight", b"id", b"smiles", b"graph", b"node", b"edge", b"M  END", b"$$$$", b"V2000", b"V3000",
    b"ATOM  ", b"ENDMDL", b"999999999 999999999", b"99999999999", b"1,2", b"0,1", b"%1", b"%99",
    b"[13CH4+]", b"c1ccccc1", b".", b"@@", b"subgraph", b"strict", b"edge_index", b"num_nodes",
    b"elements",
]  # fmt: skip
PLAIN_NAMES = ["x", "x.txt", "x.csv", "x.json"]


def corpus() -> list[tuple[str, bytes]]:
    """Valid and nearly valid files of every format, by our own writers, other libraries' and by hand."""
    files = [(name, c.encode() if isinstance(c, str) else c) for name, c, _ in CASES]
    files = [(name, data) for name, data in files if len(data) < 20_000]
    for source in ("karate", "MAO:3", "petersen"):
        graph = open_source(source)
        files += [(f"w{w.extension}", write_graph(graph, name).encode()) for name, w in WRITERS.items()]
    drawn = nx.convert_node_labels_to_integers(nx.house_x_graph())
    nx.set_edge_attributes(drawn, 2, "weight")
    drawn = nx.relabel_nodes(drawn, "v{}".format)
    files += [(name, write(drawn).encode()) for write, name, *_ in writers.WRITERS]
    return files


def mutate(rng: random.Random, files: list[tuple[str, bytes]]) -> tuple[str, bytes]:
    """One input: a file with a few changes, sometimes under another name."""
    name, data = rng.choice(files)
    inside = _within_zip(rng, data, files) if data[:2] == b"PK" and rng.random() < 0.7 else None
    data = _changed(rng, data, files) if inside is None else inside
    if rng.random() < 0.15:
        name = rng.choice([*PLAIN_NAMES, rng.choice(files)[0]])
    return name, data[:200_000]


def _changed(rng: random.Random, data: bytes, files: list[tuple[str, bytes]]) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 5, 10))):
        i = rng.randrange(len(out) + 1)
        j = min(len(out), i + rng.choice((1, 1, 2, 4, 16, 64, 300)))
        match rng.randrange(9):
            case 0:
                out[i:i] = rng.choice(TOKENS)
            case 1:
                out[i:j] = rng.choice(TOKENS)
            case 2:
                del out[i:j]
            case 3:
                out[i:i] = out[i:j] * rng.choice((1, 2, 10, 100))
            case 4 if i < len(out):
                out[i] = rng.randrange(256)
            case 5 if i < len(out):
                out[i] ^= 1 << rng.randrange(8)
            case 6:
                other = rng.choice(files)[1]
                k = rng.randrange(len(other) + 1)
                out[i:j] = other[k : k + rng.choice((4, 40, 400))]
            case 7:
                del out[i:]
            case _:
                lines = bytes(out).split(b"\n")
                k = rng.randrange(len(lines))
                lines[k : k + 1] = rng.choice(([], [lines[k]] * 2, [lines[k]] * 200, [lines[-1], lines[k]]))
                out = bytearray(b"\n".join(lines))
    return bytes(out)


def _within_zip(rng: random.Random, data: bytes, files: list[tuple[str, bytes]]) -> bytes | None:
    """A zip with a change in one of its members, so that it still opens; None where it is none."""
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, ValueError):
        return None
    chosen = rng.choice([*members, ""])
    with zipfile.ZipFile(out, "w") as made:
        for name, content in members.items():
            made.writestr(zipfile.ZipInfo(name), _changed(rng, content, files) if name == chosen else content)
    return out.getvalue()


def examine(name: str, data: bytes, thorough: bool) -> None:
    """Read one input; anything but a ReadError and a lawful graph is raised."""
    try:
        graphs = read_graphs(data, name, LIMITS)
    except ReadError as error:
        error.message.encode("utf-8")
        if not error.message or len(error.message) > 2000 or "more memory than there is" in error.message:
            raise AssertionError(f"no sentence for a person: {error.message[:2000]}") from error
        return
    for graph in graphs[:20]:
        n = graph.num_nodes
        assert n > 0
        assert len(set(graph.nodes)) == n
        u, v = graph.edges
        assert (u < v).all()
        assert not len(u) or (u.min() >= 0 and v.max() < n)
        assert all(len(column) == n for column in graph.node_attributes.values())
        assert all(len(column) == graph.num_edges for column in graph.edge_attributes.values())
        assert graph.positions is None or graph.positions.shape == (n, 2)
        json.dumps([graph.nodes, graph.repairs, graph.name, graph.label], ensure_ascii=False).encode("utf-8")
    if thorough and graphs[0].num_nodes < 500:
        format = random.Random(len(data)).choice(["graphml", "node-link", "gml", "gexf", "plain"])
        (back,) = read_graphs(write_graph(graphs[0], format).encode(), f"x{WRITERS[format].extension}")
        assert back.nodes == graphs[0].nodes, format
        assert (back.edges == graphs[0].edges).all(), format


def input_of(seed: int, i: int, files: list[tuple[str, bytes]]) -> tuple[str, bytes]:
    """Input ``i`` of a run with this seed."""
    return mutate(random.Random(f"{seed}:{i}"), files)


def _worker(seed: int, start: int, count: int, state, failures) -> None:
    """Examine inputs one after another; ``state`` says which one is at hand and since when."""
    files = corpus()
    examine("warm.smi", b"CCO", True)
    _limit_memory()
    for i in range(start, start + count):
        name, data = input_of(seed, i, files)
        state[_AT], state[_SINCE] = i, time.time()
        _limit_time()
        before, clock = _reset_peak(), time.process_time()
        try:
            examine(name, data, i % 5 == 0)
        except BaseException:
            failures.put((i, name, traceback.format_exc()))
        took, peak = time.process_time() - clock, (_peak() - before) / 1024
        state[_SLOWEST], state[_LARGEST] = max(state[_SLOWEST], took), max(state[_LARGEST], peak)
        if took > SECONDS:
            failures.put((i, name, f"took {took:.1f} s"))
        if peak > MEGABYTES:
            failures.put((i, name, f"took {peak:.0f} MB"))
    state[_NEXT] = start + count


def _limit_memory() -> None:
    """More address space than an input may take in memory is refused: a MemoryError, or the end of the process."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + 3 * MEGABYTES * 1024**2
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _limit_time() -> None:
    """An input that goes on long after its time ends the process, whatever it hangs in."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + 2 * SECONDS) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _reset_peak() -> float:
    """Let the peak of this process's memory begin anew; what it has now, in kB."""
    Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def _peak() -> float:
    """The most memory this process had since then, in kB."""
    status = Path("/proc/self/status").read_text()
    return float(status.partition("VmHWM:")[2].split(None, 1)[0])


@dataclasses.dataclass
class Progress:
    """How far a run has come, kept in a file so that one that was stopped goes on."""

    seed: int
    count: int
    of: str  # what is examined: the readers and the corpus by their digest
    next: int = 0
    failures: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    largest: float = 0.0

    @classmethod
    def load(cls, place: Path | None, seed: int, count: int) -> Progress:
        """What the file holds of this run, or its beginning."""
        begun = cls(seed, count, _digest())
        if place is None or not place.exists():
            return begun
        kept = cls(**json.loads(place.read_text("utf-8")))
        same = (kept.seed, kept.count, kept.of) == (begun.seed, begun.count, begun.of)
        return kept if same and not kept.failures else begun

    def save(self, place: Path | None) -> None:
        """Keep it."""
        if place is not None:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(json.dumps(dataclasses.asdict(self)), "utf-8")

    def __str__(self) -> str:
        return (
            f"{self.next:,} inputs, {self.failures} failures, {self.seconds:.0f} s; the slowest took "
            f"{self.slowest:.2f} s of processor time, the largest {self.largest:.0f} MB"
        )


def _digest() -> str:
    """A digest of the readers' code and of what is mutated."""
    read = Path(mivspool.graphs.read.__file__).parent
    parts = [path.read_bytes() for path in sorted(read.rglob("*.py"))]
    parts += [name.encode() + data for name, data in corpus()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def run(
    seed: int, count: int, seconds: float = math.inf, save: Path | None = None, kept: Path | None = None
) -> Progress:
    """Mutations in a process of their own, which is started anew after a crash or a hang; ``kept``: where the progress
    of a run that takes long is kept.
    """
    context = multiprocessing.get_context("spawn")
    progress = Progress.load(kept, seed, count)
    began, before = time.time(), progress.seconds
    while progress.next < count and time.time() - began < seconds:
        start = progress.next
        state = context.Array("d", [float(start), math.inf, -1.0, progress.slowest, progress.largest])
        failures = context.SimpleQueue()
        worker = context.Process(
            target=_worker, args=(seed, start, min(2000, count - start), state, failures)
        )
        worker.start()
        hung = False
        while worker.is_alive():
            worker.join(0.5)
            # asleep: one that computes is ended by its limit of time, and the machine may be busy
            hung = state[_NEXT] < 0 and time.time() - state[_SINCE] > ASLEEP
            if hung:
                worker.kill()
                worker.join()
            while not failures.empty():
                progress.failures += 1
                report(seed, *failures.get(), save)
        while not failures.empty():
            progress.failures += 1
            report(seed, *failures.get(), save)
        progress.slowest, progress.largest = state[_SLOWEST], state[_LARGEST]
        if state[_NEXT] < 0:
            i = int(state[_AT])
            progress.failures += 1
            what = "hung" if hung else f"ended the process (status {worker.exitcode})"
            report(seed, i, input_of(seed, i, corpus())[0], what, save)
            progress.next = i + 1
        else:
            progress.next = int(state[_NEXT])
        progress.seconds = before + time.time() - began
        progress.save(kept)
        print(progress, flush=True)
    return progress


def report(seed: int, i: int, name: str, what: str, save: Path | None) -> None:
    """Print a failure, and keep its input."""
    shown = what.encode("utf-8", "backslashreplace").decode()
    print(f"--- input {i} of seed {seed} as {name}:\n{shown}", flush=True)
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
        (save / f"{seed}-{i}-{Path(name).name}").write_bytes(input_of(seed, i, corpus())[1])


def coverage(seed: int, seconds: float) -> int:
    """atheris in a process of its own, since it ends the process when it is done."""
    code = "from tests.soak.fuzz_readers import fuzz; fuzz()"
    with tempfile.TemporaryDirectory() as folder:
        for k, (name, data) in enumerate(corpus()):
            (Path(folder) / f"{k:04d}").write_bytes(_packed(name, data))
        options = [
            f"-max_total_time={int(seconds)}",
            f"-seed={seed or 1}",
            "-timeout=60",
            "-rss_limit_mb=1500",
            "-max_len=6000",
        ]
        run = subprocess.run(
            [sys.executable, "-c", code, *options, f"-artifact_prefix={folder}/", folder], check=False
        )
        for crash in Path(folder).glob("*-*"):
            print(f"--- {crash.name}: {base64.b64encode(crash.read_bytes()).decode()}")
    return run.returncode


def _packed(name: str, data: bytes) -> bytes:
    """Name and content as one input."""
    return name.encode()[:60] + b"\n" + data


def fuzz() -> None:
    """What atheris runs."""
    import atheris

    with atheris.instrument_imports(include=["mivspool.graphs"]):
        for module in [name for name in sys.modules if name.startswith("mivspool.graphs")]:
            del sys.modules[module]
        import mivspool.graphs.read as read

    def one(packed: bytes) -> None:
        name, _, data = packed.partition(b"\n")
        clock = time.thread_time()
        with contextlib.suppress(ReadError):
            read.read_graphs(data, name.decode("latin-1").replace("/", "_") or "x", LIMITS)
        assert time.thread_time() - clock < 2 * SECONDS, "too slow"  # instrumented code is slower

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


def main(arguments: list[str] | None = None) -> int:
    """0 where nothing failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100_000, help="inputs (default 100,000)")
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so many seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="folder for inputs that failed")
    parser.add_argument(
        "--progress", type=Path, help="file that keeps the progress: a run that was stopped goes on"
    )
    parser.add_argument("--only", type=int, help="examine one input of the seed, with its traceback")
    parser.add_argument("--coverage", action="store_true", help="coverage-guided, by atheris")
    args = parser.parse_args(arguments)
    if args.only is not None:
        name, data = input_of(args.seed, args.only, corpus())
        print(name, data[:2000])
        examine(name, data, True)
        return 0
    if args.coverage:
        return coverage(args.seed, min(args.seconds, 3600))
    return 1 if run(args.seed, args.count, args.seconds, args.save, args.progress).failures else 0


if __name__ == "__main__":
    sys.exit(main())
