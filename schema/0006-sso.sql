-- Single sign-on: what the provider is known to run, when we last restarted it, and routes that are taken out because an
-- anonymous request got through.

CREATE TABLE sso_provider (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  -- When we last restarted it.
  restarted_at INTEGER,
  -- The change of the rules file that it came up with, its text, and when. All null before the first time.
  place        TEXT,
  stamp        TEXT,
  text         TEXT,
  loaded_at    INTEGER
) STRICT;

CREATE TABLE sso_quarantine (
  domain_id INTEGER PRIMARY KEY,
  domain    TEXT    NOT NULL,
  since     INTEGER NOT NULL,
  -- What was seen, in words.
  evidence  TEXT    NOT NULL
) STRICT;
