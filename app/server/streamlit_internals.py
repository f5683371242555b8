"""What the app takes from inside Streamlit: everything that Streamlit does not promise to keep, with the reason.

Written for Streamlit 1.67. Only this module imports from inside Streamlit, and its tables list every other reach:
``tests/app/test_streamlit_internals.py`` compares them with the app's files, and fails where another Streamlit lacks
something of them. Streamlit's options are public and stand in ``mivspool.settings.STREAMLIT``.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from streamlit import get_option, runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import (
    _TRIGGER_PROTO_FIELDS,
    RerunData,
    ScriptRequest,
    ScriptRequests,
    ScriptRequestType,
    _has_active_trigger_value,
)
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

__all__ = ["BEHAVIOURS", "SELECTORS", "DeltaGenerator", "is_served", "told", "went_back_or_forward"]

SELECTORS = {
    "data-st-overlay-root": "popovers and dialogs lie outside .stApp and need the theme's colours too (style.css)",
    "stApp": "the page as a whole: where our colours are set, and what a presentation covers (style.css)",
    "stBaseButton-primary": "white text on the accent has too little contrast (style.css)",
    "stBaseButton-primaryFormSubmit": "as above",
    "stBaseLinkButton-primary": "as above",
    "stButtonGroup": "one height for all controls of a row (style.css)",
    "stCaptionContainer": "captions at 60 % opacity have too little contrast (style.css)",
    "stColumn": "on a phone the reduced graph comes before S (style.css)",
    "stHtml": "space around sentences between elements (style.css)",
    "stIconMaterial": "the welcome's icon goes where it is narrow (style.css)",
    "stMain": "the stage leaves room for the sentence above it (style.css)",
    "stMainBlockContainer": "the page begins near the top, and is no wider than a figure needs (style.css)",
    "stMultiSelect": "contrast of chosen entries (style.css)",
    "stPopoverButton": "an open popover is closed before a link is followed (leaving.js)",
    "stToolbar": "hidden while the canvas fills the window (style.css)",
}
"""Test ids, classes and attributes of Streamlit's page, and what for."""

BEHAVIOURS = {
    "app/components/history.js": "history.pushState is replaced: Streamlit makes an entry of each link it is told",
    "app/components/leaving.js": "an open popover tells Python of its end after a link was followed: closed first",
    "app/server/access.py": "Origin is not passed on: for a strange one Streamlit asks outside for its address",
    "app/server/garbage.py": "a full garbage collection after each run (runner.postScriptGC) is replaced by one in 5 s",
    "app/server/run.py": "sys.argv[0] names the main script: Streamlit looks for .streamlit/config.toml beside it; "
    "its uvicorn speaks HTTP by the class that is called auto, which is ours",
    "mivspool/settings.py": "STREAMLIT_HEALTH, where Streamlit says that it answers",
}
"""Files that rely on what Streamlit does without promising it."""


def is_served() -> bool:
    """Whether a server of Streamlit runs the pages, and not a test of theirs alone."""
    # a test of Streamlit's own kind (AppTest) puts a mock in its place
    return runtime.exists() and type(runtime.get_instance()) is runtime.Runtime


def went_back_or_forward() -> bool:
    """Whether this run answers the browser's Back or Forward.

    Streamlit knows, and has no public name for it (``ScriptRunContext.is_history_navigation``). Without it a link that
    was returned to looks like one that a slow browser still shows.
    """
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def told(key: str, name: str) -> Any:
    """What the trigger ``name`` of the component ``key`` tells just now, for use in its callback; None if nothing.

    ``st.session_state[key]`` has it too, but not where a link was followed before a run could begin: Streamlit makes
    one request of both, and takes the component's state away before it calls back.
    """
    context = get_script_run_ctx(suppress_warning=True)
    states = None if context is None else context.session_state._state._current_interaction_widget_states
    for state in [] if states is None else states.widgets:
        if state.json_trigger_value and state.id.endswith(f"-{key}__events"):
            events = json.loads(state.json_trigger_value)
            return next((one["value"] for one in reversed(events) if one["event"] == name), None)
    return None


class _Callbacks(threading.local):
    """Whether this thread calls callbacks."""

    run = False


_callbacks = _Callbacks()
_yield = ScriptRequests.on_scriptrunner_yield
_request = ScriptRequests._request_rerun_locked
_call_back = SafeSessionState.on_script_will_rerun


def _unless_callbacks_run(requests: ScriptRequests) -> ScriptRequest | None:
    return None if _callbacks.run else _yield(requests)


def _to_their_end(state: SafeSessionState, *given: Any, **named: Any) -> None:
    _callbacks.run = True
    try:
        _call_back(state, *given, **named)
    finally:
        _callbacks.run = False


def _asked_for(requests: ScriptRequests, asked: RerunData) -> bool:
    if asked.is_auto_rerun:
        asked = replace(asked, widget_states=None)
    return _request(requests, _to_the_page_that_waits(requests, asked))


def _to_the_page_that_waits(requests: ScriptRequests, asked: RerunData) -> RerunData:
    waits = requests._rerun_data if requests._state is ScriptRequestType.RERUN else None
    # of the script that asks (st.rerun); None where the browser does
    run = get_script_run_ctx(suppress_warning=True)
    of_script = run is not None and run.page_script_hash == asked.page_script_hash
    of_part = bool(asked.fragment_id or asked.fragment_id_queue)
    if waits and not waits.fragment_id_queue and (of_script or of_part):
        where = ("query_string", "page_script_hash", "page_name", "is_history_navigation")
        return replace(asked, **{name: getattr(waits, name) for name in where})
    return asked


@dataclass(eq=False)
class _Sent:
    """Of a session: the ``runs`` that began, how many have ``ended`` as far as its browser was told, and of each large
    message, by its hash, how many had when it went there last. ``widgets``: what its browser sent last of each widget
    of the page ``page``.
    """

    runs: int = 0
    ended: int = 0
    messages: dict[str, int] = field(default_factory=dict)
    widgets: dict[str, bytes] = field(default_factory=dict)
    page: str = ""


_sent: WeakValueDictionary[str, _Sent] = WeakValueDictionary()
_flush = AppSession.flush_browser_queue
_begin = ScriptRunContext.reset


def _kept() -> int:
    """So many runs may end before a message is sent again; the browser drops it after twice as many or more."""
    return int(get_option("global.maxCachedMessageAge")) // 2


def _noted(session: AppSession) -> list[Any]:
    messages = _flush(session)
    if session.id not in _sent:
        # the session holds it, so that it goes with it; mypy knows none but Streamlit's own attributes
        _sent[session.id] = session._mivspool_sent = _Sent()  # type: ignore[attr-defined]
    sent = _sent[session.id]
    for message in messages:
        if message.WhichOneof("type") == "script_finished":
            sent.ended += 1
            sent.messages = {one: at for one, at in sent.messages.items() if sent.ended - at <= _kept()}
        elif message.ref_hash or message.metadata.cacheable:
            sent.messages[message.ref_hash or message.hash] = sent.ended
    return messages


def _with_what_is_kept(context: ScriptRunContext, *given: Any, **named: Any) -> None:
    _begin(context, *given, **named)
    sent = _sent.get(context.session_id)
    if sent is None:
        context.cached_message_hashes = frozenset()
        return
    context.cached_message_hashes = frozenset(
        one
        for one, at in sent.messages.items()
        if one in context.cached_message_hashes and sent.runs - at <= _kept()
    )
    sent.runs += 1


_call_callbacks = SessionState._call_callbacks


def _of_what_was_done(state: SessionState, **named: Any) -> None:
    _forget_what_is_older(state)
    _call_callbacks(state, **named)


def _forget_what_is_older(state: SessionState) -> None:
    """Take out of what a browser sends what it had sent before, where the person did something else."""
    context, fresh = get_script_run_ctx(suppress_warning=True), state._current_interaction_widget_states
    sent = _sent.get(context.session_id) if context else None
    if context is None or sent is None or fresh is None:
        return
    widgets = {
        one.id: one.SerializeToString(deterministic=True)
        for one in fresh.widgets
        if one.WhichOneof("value") not in _TRIGGER_PROTO_FIELDS
    }
    before, sent.widgets = sent.widgets, widgets
    went = context.is_history_navigation or sent.page not in ("", context.page_script_hash)
    sent.page = context.page_script_hash
    older = {name for name, value in widgets.items() if before.get(name) == value}
    # one that the page itself has set comes back changed too
    chosen = any(state._widget_changed(name) for name in widgets.keys() & before.keys() - older)
    if went or chosen or any(map(_has_active_trigger_value, fresh.widgets)):
        for name in older:
            state._new_widget_state.states.pop(name)


_KEPT_S = 60.0  # so long a file is there for a browser that has not heard that no page offers it any more


@dataclass(eq=False)
class _Unused:
    """Since when (``monotonic``) no page refers to a file for download, or to one that is made when asked for."""

    made: dict[str, float] = field(default_factory=dict)
    deferred: dict[str, float] = field(default_factory=dict)


_unused: WeakKeyDictionary[MediaFileManager, _Unused] = WeakKeyDictionary()
_inactive = MediaFileManager._get_inactive_file_ids


def _for_long(since: dict[str, float], unused: set[str]) -> set[str]:
    now = monotonic()
    for name in since.keys() - unused:
        del since[name]
    return {name for name in unused if now - since.setdefault(name, now) >= _KEPT_S}


def _inactive_for_long(files: MediaFileManager) -> set[str]:
    inactive = _inactive(files)
    downloads = {one for one in inactive if files._file_metadata[one].kind == MediaFileKind.DOWNLOADABLE}
    return inactive - downloads | _for_long(_unused.setdefault(files, _Unused()).made, downloads)


def _drop_what_is_unused_for_long(files: MediaFileManager) -> None:
    used = {one for offered in files._files_by_session_and_coord.values() for one in offered.values()}
    since = _unused.setdefault(files, _Unused()).deferred
    for name in _for_long(since, set(files._deferred_callables) - used):
        files._drop_deferred_id(name)


# Whatever a session is asked for meanwhile, its callbacks run to their end. Streamlit would look for another request at
# each access of the session state, the first before any of them is called, and drop what this one has told. It looks
# again when they are done.
#
# A browser that has not heard yet what the page has set sends the older value with whatever it tells, and the menu of
# graphs, say, would take back an edit. What it sent before, and the person did not touch, is what the page says it is;
# a part that runs by itself (run_every) tells nothing.
#
# Where a whole page waits to be run (a link was followed, or Back), what the page before asks for meanwhile, itself or
# a part of it, goes there too. Streamlit would make one request of both, for the page before.
#
# A large message is sent again unless the browser is certain to have it still. It says what it has when it asks for a
# run, and drops what a few runs did without when it hears that one has ended, perhaps after that. Streamlit would refer
# it to a message that it has dropped, and its page then stops with "Connection error" (Cached ForwardMsg MISS).
#
# A file for download outlives the run that offered it. Streamlit drops what the page before offered when any session's
# run ends; a click that comes before its browser has the new page would fail, and so would fetching a large file.
#
# Streamlit has no public place for any of this, so its methods are replaced. To mypy whoever assigns to a method makes
# a mistake, and a function is no method: both are what is meant here, so each line says so. tests/app/test_told.py,
# test_older.py, test_resent.py and test_files_kept.py fail where another Streamlit does not call what is replaced.
AppSession.flush_browser_queue = _noted  # type: ignore[method-assign,assignment]
MediaFileManager._get_inactive_file_ids = _inactive_for_long  # type: ignore[method-assign,assignment]
MediaFileManager._remove_orphaned_deferred_callables = _drop_what_is_unused_for_long  # type: ignore[method-assign,assignment]
ScriptRunContext.reset = _with_what_is_kept  # type: ignore[method-assign,assignment]
ScriptRequests._request_rerun_locked = _asked_for  # type: ignore[method-assign,assignment]
ScriptRequests.on_scriptrunner_yield = _unless_callbacks_run  # type: ignore[method-assign,assignment]
SafeSessionState.on_script_will_rerun = _to_their_end  # type: ignore[method-assign,assignment]
SessionState._call_callbacks = _of_what_was_done  # type: ignore[method-assign,assignment]
