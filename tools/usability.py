"""Ten tasks on the app, timed: ``python -m tools.usability [ROUNDS]`` (needs Chromium and MIVSPOOL_TU_URL).

A script does each task as someone might who knows only the address and the task, with what the page shows. It prints
the rows of this edition for docs/usability.md: the answer, presses of pointer and keys, fields filled in, and the
median of the seconds from opening the address to the answer on the screen. Whatever else the machine does is in these
seconds: the load average is printed with each try.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import NamedTuple, TypeVar

from playwright.sync_api import Browser, Error, Locator, Page, ViewportSize

from app.server.start import running
from tests.app.browser import chromium

LOOK = 0.05  # seconds between two looks at the page
LIMIT = 300.0  # seconds after which a task is given up
AGAIN = 3.0  # seconds after which someone presses once more what had no effect
VIEWPORT = ViewportSize(width=1280, height=720)
EDGES = "a b\nb c\nc a\nc d\nd e\ne f"
Seen = TypeVar("Seen")


class NotFoundError(Exception):
    """The answer was not on the screen in time."""


class Person:
    """Someone at the page: what they press, fill in and read."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.page: Page = browser.new_context(viewport=VIEWPORT).new_page()
        self.clicks = self.typed = 0
        self.began = time.monotonic()
        self.page.goto(address, wait_until="commit")

    def see(self, what: Locator) -> Locator:
        """Look until it is there."""
        return self._until(lambda: what.first if what.first.is_visible() else None)

    def miss(self, what: Locator) -> None:
        """Look until it is no longer there."""
        self._until(lambda: None if what.first.is_visible() else True)

    def press(self, what: Locator, then: Locator | None = None) -> None:
        """Press it with the pointer; once more, each AGAIN seconds, where ``then`` does not come of it."""
        while True:
            # forced: someone presses what they see, whether or not it is disabled
            self.see(what).scroll_into_view_if_needed()
            what.first.click(force=then is not None)
            self.clicks += 1
            end = time.monotonic() + AGAIN
            while then is not None and not then.first.is_visible():
                if time.monotonic() > end:
                    break
                self.page.wait_for_timeout(1000 * LOOK)
            else:
                return

    def key(self, name: str) -> None:
        """Press a key."""
        self.page.keyboard.press(name)
        self.clicks += 1

    def fill(self, what: Locator, text: str) -> None:
        """Fill in a field."""
        self.see(what).fill(text)
        self.typed += 1

    def go(self, name: str) -> None:
        """Open a page from the menu at the top."""
        self.press(self.page.get_by_role("link", name=name, exact=True))

    def vertex(self, start: str) -> Locator:
        """The row of scores that begins so."""
        return self.page.get_by_role("option", name=re.compile(f"^{start}"))

    def choose(self, label: str, text: str, option: str) -> None:
        """Type into a menu and take one of what it then offers."""
        menu = self.page.get_by_role("combobox", name=label)
        self.press(menu)
        self.fill(menu, text)
        self.press(self.page.get_by_role("option", name=re.compile(option)))

    def read(self, pattern: str, where: Locator | None = None) -> str:
        """The text that fits the pattern, once it is there."""
        texts = self.page.get_by_text(re.compile(pattern)) if where is None else where

        def found() -> str | None:
            for one in texts.all_inner_texts():
                fit = re.search(pattern, " ".join(one.split()))
                if fit:
                    return fit[0]
            return None

        return self._until(found)

    def elsewhere(self, address: str, pattern: str) -> str:
        """What a link shows in another browser."""
        other = self.browser.new_context(viewport=VIEWPORT).new_page()
        other.goto(address, wait_until="commit")
        here, self.page = self.page, other
        text = self.read(pattern)
        other.context.close()
        self.page = here
        return text

    def _until(self, found: Callable[[], Seen | None]) -> Seen:
        while time.monotonic() - self.began < LIMIT:
            try:
                seen = found()
            except Error:  # it was drawn anew at that moment
                seen = None
            if seen is not None:
                return seen
            self.page.wait_for_timeout(1000 * LOOK)
        raise NotFoundError


Task = Callable[[Person], str]


def survives(person: Person) -> str:
    """Why does vertex 4 survive?"""
    person.press(person.vertex("4:"), then=person.page.get_by_text("Why is vertex 4"))
    return person.read(r"In iteration \d+ it becomes a survivor: .*\)\.")


def iterations(person: Person) -> str:
    """How many iterations does the karate club take with degrees as scores?"""
    person.choose("Graph", "karate", "^Karate")
    person.read("Karate club · 34 vertices")
    person.press(person.page.get_by_role("combobox", name="Score"))
    person.press(person.page.get_by_role("option", name="degree"))
    person.see(person.vertex("33: 17"))
    return person.read(r"Iteration 0 of \d+")


def own_graph(person: Person) -> str:
    """Pool a graph of your own (six edges, pasted)."""
    page = person.page
    field = page.get_by_label("or paste edges")
    person.press(page.get_by_role("button", name="Upload", exact=True), then=field)
    person.fill(field, EDGES)
    person.press(page.get_by_role("button", name="Open", exact=True).last, then=page.get_by_text("pasted"))
    person.see(person.vertex("f:"))
    person.press(page.get_by_role("button", name="Last step"))
    return person.read(r"The reduced graph: \d+ \w+, \d+ \w+")


def become_one(person: Person) -> str:
    """Which vertices become one vertex?"""
    person.press(person.page.get_by_role("button", name="Last step"))
    return person.read("The cluster of .* becomes one vertex.*?X", column(person.page))


def higher_score(person: Person) -> str:
    """What changes if a vertex gets a higher score?"""
    person.press(person.vertex("8:"))
    return edited(person, "Edit")


def connected(person: Person) -> str:
    """Does Top-k keep a graph connected?"""
    person.choose("Graph", "top-k", "^Where Top-k")
    return person.read("Top-k .*keeps both ends.*", person.page.locator(".says"))


def molecule(person: Person) -> str:
    """Which class has molecule 17 of MAO, and what does the answer rest on?"""
    person.go("Classify")
    person.choose("Graph", "MAO 17", "MAO 17")
    person.read("MAO:17")
    headline = person.read("Predicted by .*: not an MAO inhibitor .*")
    return f"{headline} {person.read('drops most when cluster 11 .*')}"


def best_method(person: Person) -> str:
    """Which method is most accurate on NCI1?"""
    person.go("Results")
    return person.read("NCI1.*", person.page.locator("tr", has_text="NCI1"))


def colleague(person: Person) -> str:
    """Send this view to a colleague."""
    person.press(person.page.get_by_role("button", name="Next step"))
    link = "http://.*step=1.*"
    share = person.page.get_by_role("button", name="Share", exact=True)
    person.press(share, then=person.page.get_by_text(re.compile(link)))
    return person.elsewhere(person.read(link), r"Iteration 1 of \d+")


def accuracy(person: Person) -> str:
    """Train a network, and say how accurate it is."""
    person.go("Train")
    person.press(person.page.get_by_role("button", name="Start", exact=True))
    answer = r"Test accuracy: .* on \d+ test graphs"
    person.see(person.page.get_by_role("button", name="Cancel"))
    person.miss(person.page.get_by_text(re.compile(answer)))  # that of an earlier job
    return person.read(answer)


def column(page: Page) -> Locator:
    """The column below the canvas that shows one cluster."""
    return page.get_by_test_id("stColumn").filter(has_text="becomes one vertex")


def edited(person: Person, mode: str) -> str:
    """What a change of the selected vertex's score did, in the mode of this name."""
    person.press(person.page.get_by_text(mode, exact=True))
    person.fill(person.page.locator(".mivspool .edit input"), "0.9")
    person.key("Enter")
    return person.read(r"\w.*", person.page.locator(".mivspool .edit .change"))


TASKS: tuple[Task, ...] = (
    survives,
    iterations,
    own_graph,
    become_one,
    higher_score,
    connected,
    molecule,
    best_method,
    colleague,
    accuracy,  # last: a job that takes too long goes on
)


class Try(NamedTuple):
    """One task, done once; ``seconds`` is None where it was given up."""

    answer: str
    clicks: int
    typed: int
    seconds: float | None


def attempt(task: Task, browser: Browser, address: str) -> Try:
    """Do a task from the address alone, in a browser that has kept nothing."""
    person = Person(browser, address)
    try:
        answer = task(person)
        return Try(answer, person.clicks, person.typed, time.monotonic() - person.began)
    except NotFoundError:
        return Try("not found", person.clicks, person.typed, None)
    finally:
        person.page.context.close()


def measure(tasks: Mapping[str, Task], browser: Browser, address: str, rounds: int) -> list[str]:
    """The rows of the table. The address is opened once before."""
    person = Person(browser, address)
    person.see(person.vertex("0:"))
    person.page.context.close()
    tries: dict[str, list[Try]] = {title: [] for title in tasks}
    for number in range(rounds):
        for title, task in tasks.items():
            made = attempt(task, browser, address)
            tries[title].append(made)
            print(f"round {number + 1}, load {os.getloadavg()[0]:.1f}: {title} {made}", flush=True)
    return [row(title, made) for title, made in tries.items()]


def row(title: str, tries: list[Try]) -> str:
    """One task of the table, from its tries: the presses of the median try."""
    found = sorted((one for one in tries if one.seconds is not None), key=lambda one: one.seconds or 0.0)
    shown = found[len(found) // 2] if found else tries[-1]
    seconds = f"{median(one.seconds or LIMIT for one in tries):.1f}" if len(found) == len(tries) else "–"
    return f"| {title} | {shown.answer} | {shown.clicks} | {shown.typed} | {seconds} |"


def main(rounds: int) -> None:
    """Measure this edition, in a home folder of its own."""
    tasks = {(task.__doc__ or "").strip(): task for task in TASKS}
    with (
        tempfile.TemporaryDirectory() as home,
        running({"MIVSPOOL_HOME": home, "OMP_NUM_THREADS": "1"}) as address,
        chromium() as browser,
    ):
        print("\n".join(measure(tasks, browser, address, rounds)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
