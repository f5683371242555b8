"""What the app takes from inside Streamlit: everything that Streamlit does not promise to keep, with the reason.

Written for Streamlit 1.67. Only this module imports from ``streamlit.runtime``.
"""

from __future__ import annotations

from streamlit.runtime.scriptrunner import get_script_run_ctx


def went_back_or_forward() -> bool:
    """Whether this run answers the browser's Back or Forward.

    Streamlit knows, and has no public name for it (``ScriptRunContext.is_history_navigation``). Without it a link that
    was returned to looks like one that a slow browser still shows.
    """
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation
