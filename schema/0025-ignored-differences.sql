-- Differences that a person has said may stay, each until its end at the latest.

CREATE TABLE ignored_differences (
  -- As every drift answer names it.
  item       TEXT    NOT NULL,
  -- The thing that is written atomically, and the part of it that differs.
  key        TEXT    NOT NULL,
  part       TEXT    NOT NULL,
  component  TEXT    NOT NULL,
  -- SHA-256 of what stood there and of what should: what differs otherwise is another difference.
  seen       TEXT    NOT NULL,
  reason     TEXT    NOT NULL,
  actor      TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  until      INTEGER NOT NULL,
  PRIMARY KEY (key, item)
) STRICT;
