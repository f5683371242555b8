"""The lecture: its chapters' words and how they are marked up, for the app and for the static site alike."""
