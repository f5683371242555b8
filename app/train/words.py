"""The words of the Train page."""

from __future__ import annotations

TRAIN_NEW = "New training run"
TRAINING_OFF = "Training is switched off on this backend; earlier jobs can still be viewed below."
NO_JOB_CHOSEN = "Start a training run, or select a job in the list below, to see its learning curves here."
DATASET_SIZE = "{graphs:,} {graphs?graph|graphs}, {classes} {classes?class|classes}"
DATASET_UPLOAD = " (your upload)"
UPLOAD_SET = "Your own"
UPLOAD_SET_HELP = "A zip in the layout of the TU data sets. It is stored for {days} days."
UPLOAD_UNTRAINABLE = (
    "This zip contains no class labels: it needs NAME_A.txt, NAME_graph_indicator.txt and "
    "NAME_graph_labels.txt."
)
KIND = "Task"
KINDS = {"train": "Train one classifier", "evaluate": "Evaluate on all folds"}
KINDS_SHORT = {"train": "training", "evaluate": "evaluation"}
KIND_HELP = (
    "A single training run tests on one fold and yields a model that can be saved; "
    "an evaluation trains once for each of ten folds and estimates the accuracy of the method."
)
HYPERPARAMETERS = "Hyperparameters"
UNCHANGED = ": as in the paper"
RESTORE = "Restore the paper's values"
PAPERS = "Default: {value}."
SEARCHED = "The paper searches over {values}."
ESTIMATE = "It usually takes **about {usual}**{runs}, and at most {most}."
ESTIMATE_RUNS = " for {n} {n?training run|training runs}"
NO_ESTIMATE = "No comparable run exists yet, so there is no estimate until the first epochs are done."
ESTIMATE_SOURCES = {
    "here": "Based on {n} earlier {n?run|runs} on this backend ({epoch} s per epoch).",
    "results": "Based on {n} published {n?run|runs} on other hardware ({epoch} s per epoch): this machine may "
    "be faster or slower.",
    "scaled": "A rough estimate, scaled by size from {n} {n?run|runs} on other data or with another method.",
}
START = "Start"
SHARE_JOB = "Let other visitors see this job"
LEAVE = (
    "The job runs on the backend ({device}): you can leave the page or close the browser and come back later."
)
BUSY = "{running} running, {waiting} waiting."
TOOK = "took {time}"
PLACE = "number {n} in the queue"
NEXT = "next in the queue"
STARTS_IN = "expected to start in about {time}"
QUEUED_SINCE = "for {time}"
ATTEMPT = "started {n} {n?time|times}"
RUNS_DONE = "{done} of {total} {total?run|runs}"
EPOCH = "epoch {epoch:,} of at most {most:,}"
PREPARING = "Starting: the first epoch has not ended yet."
LEFT = "early stopping in at most {time} unless validation loss improves"
RUN_SHOWN = "Learning curve of run {run}"
RUNS_TITLE = "Test accuracy of the finished runs, by fold"
CANCEL = "Cancel"
RESUME = "Resume"
DELETE = "Delete"
DETAILS = "Settings and log"
SHOW_LOG = "Show the log"
LOG_EMPTY = "(the log is empty)"
TESTED = "Test accuracy: **{accuracy:.1f} %** on {n:,} {n?test graph|test graphs}"
TESTED_RUNS = (
    "Mean test accuracy of {runs} {runs?run|runs}: **{accuracy:.1f} %**{spread}; accuracy over all {n:,} "
    "{n?test graph|test graphs} together: {share:.1f} % (the folds differ in size)"
)
TESTED_SPREAD = " (± {std:.1f} over the repeats)"
CONFUSION = "Test graphs by true and predicted class, {runs} {runs?run|runs}"
DELETE_SURE = "Delete the job, its curves and its checkpoint"
SAVE = "Save model"
SAVE_NAME = "Name of the model"
SAVE_HELP = "Lower-case letters, digits, '.', '_' and '-'"
SAVE_SHARED = "Let other visitors use the model"
SAVED = "Saved as `{name}`, with its model card."
CLASSIFY_WITH = "Classify with this model"
COMPARING = "{n} jobs side by side"
VALIDATION_LOSS = "Validation loss"
VALIDATION_ACCURACY = "Validation accuracy"
JOBS = "All jobs"
NO_JOBS = "No jobs yet."
FILTER_KIND = "Kind"
FILTER_TEXT = "Search"
LIST_HELP = "Select a row to view that job, or up to {n} rows to compare jobs."
COLUMN_NUMBER = "no."
COLUMN_TITLE = "job"
COLUMN_STATE = "state"
COLUMN_PROGRESS = "progress"
COLUMN_ACCURACY = "test accuracy (%)"
COLUMN_STARTED = "submitted"
COLUMN_TOOK = "duration"

# the record of a training
WATCH = "Graphs to record"
WATCH_GRAPHS = "Graphs of the data set, by number"
WATCH_PLACEHOLDER = "one of each class"
WATCH_HELP = (
    "Numbers with commas between, such as 3, 40. "
    "What the network makes of these graphs is recorded at every epoch."
)
WATCH_OWN = "Also record your current graph, {graph}"
WATCH_OWN_HELP = (
    "The graph chosen on Step and Classify. Its vertices must have the labels or attributes of the data set."
)
WATCH_WRONG = "{text} is not the number of a graph: write whole numbers with commas between"
WATCH_MANY = "at most {n} graphs are recorded: remove some"
RECORD_MISSING = (
    "{n} {n?class has|classes have} no graph here: at most {most} graphs with {vertices:,} vertices together are "
    "recorded. Others can be chosen under Graphs to record."
)
RECORD_EVERY = "A long record: every epoch whose number is divisible by {n} is kept, and the best one."
