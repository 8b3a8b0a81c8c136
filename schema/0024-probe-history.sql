-- How the looks at each domain came out, a quarter of an hour a row, kept for a day.

CREATE TABLE probe_history (
  -- When the quarter of an hour began, in milliseconds.
  started_at INTEGER PRIMARY KEY,
  -- JSON: [[domain id, ok, bad, unknown], …]
  counts     TEXT    NOT NULL
) STRICT;
