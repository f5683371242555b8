"""The words of the Train page."""

from __future__ import annotations

TRAIN_NEW = "A new training"
TRAINING_OFF = "Training is switched off on this backend; jobs that were run can still be looked at below."
NO_JOB_CHOSEN = "Start a training, or choose one in the list below: its curves appear here as it learns."
DATASET_SIZE = "{graphs:,} graphs, {classes} classes"
DATASET_UPLOAD = " (your upload)"
UPLOAD_SET = "Your own"
UPLOAD_SET_HELP = "A zip in the layout of the TU data sets. It is kept for {days} days."
UPLOAD_UNTRAINABLE = (
    "This zip has no classes to learn: it needs NAME_A.txt, NAME_graph_indicator.txt and "
    "NAME_graph_labels.txt."
)
KIND = "What to do"
KINDS = {"train": "Train one classifier", "evaluate": "Evaluate on all folds"}
KINDS_SHORT = {"train": "training", "evaluate": "evaluation"}
KIND_HELP = (
    "One training tests on one fold and leaves a model that can be kept; "
    "an evaluation trains anew for each of ten folds and says how accurate the method is."
)
HYPERPARAMETERS = "Hyperparameters"
UNCHANGED = ": the paper's"
RESTORE = "Back to the paper's"
PAPERS = "Default: {value}."
SEARCHED = "The paper searches {values}."
ESTIMATE = "It usually takes **about {usual}**{runs}, and at most {most}."
ESTIMATE_RUNS = " for {n} trainings"
NO_ESTIMATE = "Nothing like this was run before, so there is no estimate: the first epochs will tell."
ESTIMATE_SOURCES = {
    "here": "From {n} earlier {n?run|runs} on this backend, {epoch} s an epoch.",
    "results": "From {n} released {n?run|runs} elsewhere ({epoch} s an epoch): this machine may be faster or slower.",
    "scaled": "Scaled by size from {n} {n?run|runs} on other data or with another method: take it as a rough guess.",
}
START = "Start"
SHARE_JOB = "Let other visitors see this job"
LEAVE = (
    "It runs on the backend ({device}): you can leave the page or close the browser and find it again here."
)
BUSY = "{running} running, {waiting} waiting."
TOOK = "took {time}"
QUEUED_SINCE = "for {time}"
ATTEMPT = "started {n} times"
RUNS_DONE = "{done} of {total} runs"
EPOCH = "epoch {epoch:,} of at most {most:,}"
LEFT = "at most {time} left if nothing improves"
RUN_SHOWN = "Learning curve of run {run}"
RUNS_TITLE = "Test accuracy of the finished runs, fold by fold"
CANCEL = "Cancel"
RESUME = "Resume"
DELETE = "Delete"
DETAILS = "Settings and log"
SHOW_LOG = "Show the log"
LOG_EMPTY = "(nothing was written)"
TESTED = "**{accuracy:.1f} %** of {n:,} test graphs are right"
TESTED_RUNS = (
    "**{accuracy:.1f} %** is the mean test accuracy of the {runs} runs{spread}; of all {n:,} test graphs together, "
    "{share:.1f} % are right (the folds differ in size)"
)
TESTED_SPREAD = " (± {std:.1f} over the repeats)"
CONFUSION = "Test graphs by true and predicted class, {runs} {runs?run|runs}"
DELETE_SURE = "Delete it with its curves and its checkpoint"
KEEP = "Keep as a model"
KEEP_NAME = "Name of the model"
KEEP_HELP = "Lower-case letters, digits, '.', '_' and '-'"
KEEP_SHARED = "Let other visitors use it"
KEPT = "Kept as `{name}`, with its card."
CLASSIFY_WITH = "Classify with it"
COMPARING = "{n} jobs side by side"
VALIDATION_LOSS = "Validation loss"
VALIDATION_ACCURACY = "Validation accuracy"
JOBS = "All jobs"
NO_JOBS = "There are no such jobs."
FILTER_STATE = "State"
FILTER_KIND = "Kind"
FILTER_TEXT = "Title contains"
LIST_HELP = "Select a row to look at a job, or two to {n} to compare them."
COLUMN_NUMBER = "no."
COLUMN_TITLE = "job"
COLUMN_STATE = "state"
COLUMN_PROGRESS = "progress"
COLUMN_ACCURACY = "test accuracy (%)"
COLUMN_STARTED = "asked for"
COLUMN_TOOK = "took"
