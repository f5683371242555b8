"""Every word of the canvas; they go to the browser once, with the script.

Templates: ``{name}`` is filled in; ``{count?one|many}`` chooses by a number; a value that is a vertex becomes something
to point at.
"""

from __future__ import annotations

# count words up to twelve read better than digits inside a sentence
NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]

# what happens in each step, above the picture
SENTENCES = {
    "start": "Iteration 0 of {T}: every vertex is a candidate. In each iteration, a candidate survives if no "
    "neighbouring candidate has a higher score.",
    "start_tie": "Iteration 0 of {T}: every vertex is a candidate. In each iteration, a candidate survives if no "
    "neighbouring candidate ranks above it: by score, ties broken by a strict order.",
    "start_empty": "This graph has no vertices.",
    "iteration": "Iteration {k} of {T}: {new} {new?vertex survives|vertices survive}, because no neighbouring "
    "candidate has a higher score",
    "iteration_more": "Iteration {k} of {T}: {new} more {new?vertex survives|vertices survive}, because no "
    "neighbouring candidate has a higher score",
    "sample": ", in this sample",
    "nothing": "Iteration {k} of {T}: nothing changes here; {left} {left?candidate remains|candidates remain}.",
    "eliminated": "{eliminated} {eliminated?is|are} eliminated",
    "none_eliminated": "none is eliminated",
    "left": "{left} {left?candidate remains|candidates remain}",
    "none_left": "no candidates remain",
    # the same in three parts
    "part": "Iteration {k} of {T}, part {part} of 3",
    "pointing": "each candidate points to its best candidate neighbour, if that has a higher score; {new} "
    "{new?points|point} to none.",
    "pointing_tie": "each candidate points to its best candidate neighbour, if that ranks above it (by score, ties "
    "broken by a strict order); {new} {new?points|point} to none.",
    "pointing_sample": "each candidate points to its best candidate neighbour, if that has a higher score (where all "
    "its neighbours are in this sample).",
    "surviving": "{new} {new?candidate points to none and survives|candidates point to none and survive}, because no "
    "neighbouring candidate has a higher score.",
    "surviving_sample": "no vertex of this sample survives.",
    "eliminating": "{new?the new survivor eliminates|the new survivors eliminate} {eliminated} "
    "{eliminated?neighbour|neighbours}",
    "eliminating_none": "{new?the new survivor has|the new survivors have} no neighbours left to eliminate",
    "complement": "Complement: the {added?non-survivor with the highest score is|{added} non-survivors with "
    "the highest scores are} added, so that at least half of the vertices survive. Two survivors may now be "
    "adjacent (Eq. 8 no longer holds).",
    "assign": "Assignment (Eq. 11): {moved} {moved?vertex is|vertices are each} assigned to {moved?its|their} best "
    "surviving neighbour, which makes {clusters} {clusters?cluster|clusters}.",
    "assign_none": "Assignment (Eq. 11): every vertex survived, so each is a cluster of its own.",
    "pool": "Reduced graph (SᵀAS): each cluster becomes one vertex; {n} {n?vertex|vertices} {n?becomes|become} "
    "{clusters}. An edge's width shows how many edges it represents. The next layer operates on this smaller graph.",
}

WHY = {
    "title_candidate": "Why is vertex {v} a candidate?",
    "title_survivor": "Why does vertex {v} survive?",
    "title_eliminated": "Why was vertex {v} eliminated?",
    "title_added": "Why was vertex {v} added?",
    "pick": "Select a vertex in the graph or a bar to see why it survives or not.",
    "now": "Now",
    "next": "Next",
    "then": "Eq. 10",
    "letters": "p = survivor, q = candidate, s = score; superscript = iteration",
    "places": "(1st), (2nd) …: the order among equal scores; only the 1st counts as the maximum",
    # now
    "candidate_waits": "{v} ({score}) is a candidate. Its candidate neighbour {rival} ({rival_score}) has a higher "
    "score.",
    "candidate_waits_tie": "{v} ({score}) is a candidate. It ties with its candidate neighbour {rival}; {tie_rule}.",
    "candidate_wins": "{v} ({score}) is a candidate, and no neighbouring candidate has a higher score.",
    "candidate_alone": "{v} ({score}) is a candidate, and none of its neighbours is.",
    "candidate_isolated": "{v} ({score}) is a candidate, and it has no neighbours.",
    # in the parts of an iteration
    "arrow_waits": "{v} ({score}) points to {rival} ({rival_score}), its best candidate neighbour.",
    "arrow_waits_tie": "{v} ({score}) points to {rival}, its best candidate neighbour, with which it ties; {tie_rule}.",
    "arrow_wins": "{v} ({score}) points to none: no neighbouring candidate has a higher score.",
    "survived": "{v} became a survivor in iteration {at}: its score, {score}, exceeds {others?that of its only "
    "candidate neighbour,|those of its candidate neighbours} {list}.",
    "survived_tie": "{v} became a survivor in iteration {at}: it tied with {rival} at {score}; {tie_rule}.",
    "survived_alone": "{v} became a survivor in iteration {at}: none of its neighbours was still a candidate.",
    "survived_isolated": "{v} became a survivor in iteration {at}: it has no neighbours.",
    "eliminated": "{v} ({score}) was eliminated in iteration {at}, because its neighbour {by} ({by_score}) survived.",
    "added": "{v} ({score}) was eliminated in iteration {at}; the complement now adds it, to keep half of the "
    "vertices.",
    "tie_index": "ties are broken by index: the vertex that comes first wins",
    "tie_key": "ties are broken by the values that the score is made of, then by degree, then by the "
    "neighbours' scores, then by index",
    # next
    "will_survive": "In iteration {k} it becomes a survivor: its score, {score}, exceeds {others?that of its only "
    "candidate neighbour,|those of its candidate neighbours} {list}.",
    "will_survive_tie": "In iteration {k} it becomes a survivor: it ties with {rival} at {score}; {tie_rule}.",
    "will_survive_alone": "In iteration {k} it becomes a survivor: none of its neighbours is a candidate.",
    "will_survive_isolated": "In iteration {k} it becomes a survivor: it has no neighbours.",
    "will_be_eliminated": "In iteration {k} its neighbour {by} ({by_score}) becomes a survivor and eliminates {v}.",
    "is_eliminated": "Its neighbour {by} ({by_score}) has become a survivor, which eliminates {v} in this iteration.",
    "will_wait": "In iteration {k} it stays a candidate: {rival} has a higher score, but a lower one than {rival_of} "
    "({rival_of_score}).",
    "will_wait_tie": "In iteration {k} it stays a candidate: {rival} ranks above it, but below {rival_of} "
    "({rival_of_score}).",
    "stays": "It remains a survivor, and {members?one vertex is|{members_word} vertices are} assigned to it: {list}.",
    "stays_alone": "It remains a survivor, alone in its cluster.",
    "will_go": "It will be assigned to {to} ({to_score}), its best surviving neighbour (Eq. 11).",
    "will_go_only": "It will be assigned to {to} ({to_score}), its only surviving neighbour (Eq. 11).",
    "will_be_added": "The complement will add it as a survivor.",
    "goes": "It is assigned to {to} ({to_score}), its best surviving neighbour (Eq. 11).",
    "goes_only": "It is assigned to {to} ({to_score}), its only surviving neighbour (Eq. 11).",
    "gathers": "Assigned to it: {list}.",
    "gathers_alone": "It is alone in its cluster.",
    # in a sample, a vertex some of whose neighbours are not in it
    "outside_candidate": "{v} ({score}) is a candidate; its state is decided in iteration {at}.",
    "outside_survivor": "{v} ({score}) became a survivor in iteration {at}.",
    "outside_eliminated": "{v} ({score}) was eliminated in iteration {at}.",
    "outside": "{outside?One of its neighbours is|{several} of its neighbours are} not in this sample: take the sample "
    "around this vertex to see why.",
    "will_wait_outside": "In iteration {k} it stays a candidate: {rival} has a higher score, but a lower one than a "
    "vertex that is not in this sample.",
    "will_wait_outside_tie": "In iteration {k} it stays a candidate: {rival} ranks above it, but below a vertex that "
    "is not in this sample.",
    "outside_goes": "It is assigned to {to} ({to_score}), its best surviving neighbour (Eq. 11).",
    "more": "and {more} more",
    "and": "and",
}

CANVAS = {
    "numbers": NUMBERS,
    "sentences": SENTENCES,
    "why": WHY,
    "states": ["candidate", "survivor", "non-survivor"],
    "states_many": ["candidates", "survivors", "non-survivors"],
    "vertex": "vertex {v}",
    "graph": "Graph of {n} {n?vertex|vertices} and {m} {m?edge|edges}. The left and right arrow keys step through the "
    "iterations, up and down select a vertex, plus and minus zoom.",
    "first": "First step (Home)",
    "previous": "Step back (←)",
    "play": "Play (space)",
    "pause": "Pause (space)",
    "next": "Next step (→)",
    "last": "Last step (End)",
    "speed": "Reading speed",
    "speed_help": "Reading speed: Play stays on each sentence for as long as it takes to read",
    "by": "Step by",
    "by_help": "Step by whole iterations, or by the three parts of each (b)",
    "by_whole": "iterations",
    "by_parts": "parts",
    "slider": "Iteration",
    "fit": "Show the whole graph (0)",
    "zoom_in": "Zoom in (+)",
    "zoom_out": "Zoom out (−)",
    "step_iteration": "iteration {k}",
    "step_part": "iteration {k}, part {part} of 3",
    "step_complement": "complement",
    "step_assign": "assign",
    "step_pool": "pool",
    "counts": "{c} {c?candidate|candidates}, {s} {s?survivor|survivors}, {x} {x?non-survivor|non-survivors}",
    "beside": {"title": "Beside the graph", "bars": "Scores, highest first", "code": "Pseudocode"},
    "code": {
        "title": "Meer's algorithm (Eq. 10)",
        "start": "for every vertex v: p ← false, q ← true",
        "while": "while some q is true, for every v with q:",
        "best": "m ← highest s of v and its candidate neighbours",
        "survive": "p ← true where s = m",
        "eliminate": "q ← false where v or a neighbour has p",
        "complement": "add the best non-survivors until half survive",
        "assign": "assign each non-survivor to its best surviving neighbour (Eq. 11)",
        "pool": "A′ ← SᵀAS (Eq. 3)",
        "by": "by",
        "letters": "p = survivor, q = candidate, s = score",
    },
    "bars_from": "bars start at {from}, so that differences show",
    "bars_label": "Vertices by score, highest first. The up and down arrow keys select one.",
    "empty": "This graph has no vertices, so there is nothing to pool.",
    "times": "×{n}",
    "size": "{n} {n?vertex|vertices} · {m} {m?edge|edges}",
    "own": {
        "pick": "Select a vertex to see this with its numbers.",
        "eq8": "{v} survives; its {n?neighbour|neighbours} {list} {n?does|do} not.",
        "eq8_alone": "{v} survives and has no neighbours.",
        "eq9": "{v} does not survive; its {n?surviving neighbour is|surviving neighbours are} {list}.",
        "eq9_alone": "{v} survives, and none of its neighbours is a non-survivor.",
        "eq11": "{v} can be assigned to {list}; the best is {to}, so its row of S has its 1 in the column of {to}.",
        "eq11_self": "{v} is a survivor: its row of S has its 1 in its own column.",
        "inside": " (inside, counted twice)",
        "eq3_alone": "No edge leaves the cluster of {v}, and none is inside it.",
    },
    "table": {
        "title": "The graph as a table",
        "caption": "{n} {n?vertex|vertices} by score, {m} {m?edge|edges}",
        "vertex": "vertex",
        "label": "label",
        "size": "represents",
        "score": "score",
        "state": "state now",
        "since": "since iteration",
        "cluster": "cluster of",
        "neighbours": "neighbours",
        "more": "and {more} more {more?vertex|vertices}",
    },
    "present": {
        "back": "Previous level",
        "back_help": "Back to the graph that was pooled (previous level)",
        "again": "Pool again",
        "again_help": "Continue with the reduced graph (next level)",
        "screen": "Full screen",
        "screen_help": "Full screen (f)",
        "leave": "Exit",
        "leave_help": "Exit the presentation (Esc)",
    },
    "edit": {
        "title": "Edit the graph",
        "toolbar": "Edit the graph",
        "add": "Add vertex",
        "add_help": "Add a vertex (a); or double-click, or tap twice, on an empty place",
        "link": "Connect",
        "link_help": "Connect the selected vertex to another, or cut the edge between them (c); or Shift-drag "
        "from one to the other",
        "remove": "Delete",
        "cut": "Cut edge",
        "remove_help": "Delete the selected vertex, or cut the selected edge (Delete)",
        "undo": "Undo (Ctrl+Z)",
        "redo": "Redo (Ctrl+Shift+Z)",
        "again": "Reset",
        "again_help": "Return to the reference graph (can be undone)",
        "pin": "Set as reference",
        "pin_help": "Compare later edits with the graph as it is now, and return to it on Reset",
        "both": "Side by side",
        "both_help": "Show the reference graph and the edited graph side by side",
        "before": "reference",
        "now": "edited",
        "score": "score",
        "label": "label",
        "not_positive": "A score must be a number above 0.",
        "vertex": "Vertex {v}",
        "edge": "Edge {u} – {v}",
        "nothing": "No vertex selected",
        "handle": "Score of {v}",
        "handle_help": "Drag up or down to change the score",
        "hint": "Drag the end of a bar, or the handle next to a vertex, and watch how the survivors change. "
        "Double-click an empty place to add a vertex; click an edge to cut it.",
        "hint_link": "Choose the vertex to connect {v} to; if they are already connected, the edge is cut.",
        "hint_empty": "Double-click (or tap twice) an empty place to add a vertex; then press Connect and choose the "
        "other one.",
        "too_large": "This graph cannot be edited here: it has more than {most} vertices, or only part of it is "
        "drawn.",
        "not_here": "A reduced graph cannot be edited: go back to level 0.",
        "same": "The same vertices survive as in the reference graph",
        "marked": " ● marks them in the graph.",
        "instead": "{rises} now {rising?survives|survive} instead of {falls}",
        "rises": "{rises} now {rising?survives|survive} too",
        "falls": "{falls} no longer {falling?survives|survive}",
        "moves": "{moves} {moving?is|are} assigned to another survivor",
        "grows": "T rises from {a} to {b}",
        "shrinks": "T falls from {a} to {b}",
    },
    "predict": {
        "ask_survivors": "Which candidates survive in iteration {k}? Choose them in the graph, then check.",
        "ask_assignment": "Which survivor is each non-survivor assigned to? Select a vertex to draw its arrow, and "
        "again for its next surviving neighbour; then check.",
        "ask_edges": "Which clusters are connected in the reduced graph? Select two survivors to connect them, and "
        "again to disconnect them; then check.",
        "none_survivors": "None chosen yet. A candidate survives if no neighbouring candidate has a higher score.",
        "none_edges": "None chosen yet. Two clusters are connected if an edge connects their vertices.",
        "drawn": "{n} of {of} {of?arrow|arrows} drawn. A vertex is assigned to its best surviving neighbour.",
        "connecting": "Connect {v} to another survivor.",
        "chosen": "Chosen: {list}",
        "check": "Check",
        "next": "Next iteration",
        "next_assignment": "Predict the assignment",
        "next_edges": "Predict the reduced graph",
        "all_right": "All correct: {right} of {of}.",
        "some_right": "{right} of {of} correct.",
        "missed": "{v} was missed.",
        "wrong": "{v} was chosen wrongly.",
        "missed_edge": "{a} – {b} was missed: the edge {u} – {v} joins their clusters.",
        "wrong_edge": "{a} – {b} was chosen wrongly: no edge joins their clusters.",
        "more": "and {more} more",
        "done": "No candidates remain.",
        "another": "Another graph",
        "same": "Another graph of difficulty {level}",
        "harder": "Harder",
        "difficulty": "Difficulty {level} of {of}: {n} {n?vertex|vertices}, {T} {T?iteration|iterations}",
        "difficulty_help": "1: one iteration, up to 9 vertices. 2: two, up to 16. 3: three, up to "
        "30. 4: more of either, or ties that are broken by the order of the vertices.",
        "again": "Same graph again",
        "tally": "{right} of {of} correct in this session",
        "forget": "Reset score",
    },
}
