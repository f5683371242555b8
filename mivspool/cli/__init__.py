"""The command line: one file per command, imported only when it is called."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from mivspool import __version__
from mivspool.errors import InputError, MIVSPoolError

# command → one line of help; the module of the same name has add_arguments(parser) and run(args) -> exit status
COMMANDS = {
    "read": "how a graph file is read",
    "step": "Meer's iterations on a graph, and the reduced graphs",
    "convert": "a graph, written in another format",
    "draw": "every iteration as one figure (SVG, PDF, PNG, TikZ) or an animation (GIF, MP4)",
    "site": "the lecture as a static site for any web host",
    "compare": "every pooling method on one graph or a data set",
    "classify": "class and probabilities of graphs, with a released or trained model",
    "train": "train one classifier on a data set",
    "evaluate": "folds × repeats on a data set, with an optional hyperparameter search; resumable",
    "tables": "the paper's tables next to the values measured here",
    "results": "whether published runs still repeat",
    "datasets": "the data sets and classic graphs that can be named",
    "models": "the available models",
    "bench": "speed compared with other libraries",
    "serve": "start the backend (HTTP)",
    "backup": "jobs, uploads and kept models as one file, while the backend runs",
    "restore": "such a file, put into an empty database",
    "admin": "all jobs and visitors of a backend, and what one visitor may keep",
    "app": "open the browser app",
}


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are errors of ours: one line, exit status 2."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage."""
        raise InputError(f"{message}; `{self.prog} --help` says what it takes")


def parser_for(command: str) -> Parser:
    """The parser of one command."""
    module = importlib.import_module(f"mivspool.cli.{command}")
    parser = Parser(
        prog=f"mivspool {command}",
        description=COMMANDS[command],
        epilog=getattr(module, "EPILOG", None),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    parser.set_defaults(run=module.run)
    return parser


def usage() -> str:
    """The text of ``mivspool --help``."""
    lines = ["usage: mivspool COMMAND …", "", "Graph pooling by Maximal Independent Vertex Set.", ""]
    lines += [f"  {name:<10}{text}" for name, text in COMMANDS.items()]
    lines += ["", "`mivspool COMMAND --help` says more of each. `mivspool --version` prints the version.", ""]
    return "\n".join(lines)


def report(error: MIVSPoolError, as_json: bool) -> None:
    """One line on standard error: the sentence, or its JSON form."""
    if as_json:
        document = {"error": {"message": error.message, "line": error.line}}
        print(json.dumps(document, ensure_ascii=False), file=sys.stderr)
    else:
        where = f" (line {error.line})" if error.line is not None else ""
        print(f"mivspool: {' '.join(error.message.split())}{where}", file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, or 2 when what was given cannot be used."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(usage(), end="")
        return 0
    if arguments[0] == "--version":
        print(f"mivspool {__version__}")
        return 0
    command, rest = arguments[0], arguments[1:]
    if command not in COMMANDS:
        names = ", ".join(COMMANDS)
        report(MIVSPoolError(f"there is no command {command!r}; there are: {names}"), "--json" in rest)
        return 2
    try:
        args = parser_for(command).parse_args(rest)
        status = args.run(args)
        sys.stdout.flush()
        return int(status or 0)
    except MIVSPoolError as error:
        report(error, "--json" in rest)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # the reader of our output has gone: not an error, but Python must not try to flush again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
