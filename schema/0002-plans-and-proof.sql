-- Plans with a life of their own, the conditions that prove a deploy, and the trails that explain it.

-- A plan is never changed but for being applied, which happens at most once.
CREATE TABLE plans (
  id              TEXT    PRIMARY KEY,
  created_at      INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL,
  actor           TEXT    NOT NULL,
  request_id      TEXT    NOT NULL,
  scope           TEXT    NOT NULL,
  hash            TEXT    NOT NULL,
  body            TEXT    NOT NULL,
  applied_at      INTEGER,
  applied_release INTEGER,
  CONSTRAINT whole_application CHECK ((applied_at IS NULL) = (applied_release IS NULL))
) STRICT;

CREATE INDEX plans_expires_at ON plans (expires_at);

-- A plan's hash that was typed back to lift a guard. It lifts it once.
CREATE TABLE confirmations (
  hash       TEXT    PRIMARY KEY,
  at         INTEGER NOT NULL,
  actor      TEXT    NOT NULL,
  request_id TEXT    NOT NULL,
  rules      TEXT    NOT NULL
) STRICT;

-- domain_id 0 stands for the component as a whole; a domain without a row shares the component's condition.
CREATE TABLE conditions (
  domain_id          INTEGER NOT NULL,
  component          TEXT    NOT NULL,
  status             TEXT    NOT NULL CHECK (status IN ('true', 'false', 'unknown')),
  reason             TEXT    NOT NULL,
  message            TEXT    NOT NULL,
  observed_revision  INTEGER,
  last_transition_at INTEGER NOT NULL,
  PRIMARY KEY (domain_id, component)
) STRICT;

-- How often a stranger put something back after a repair: three times in an hour is a fight.
CREATE TABLE reverts (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  key      TEXT    NOT NULL,
  observed TEXT    NOT NULL,
  at       INTEGER NOT NULL
) STRICT;

CREATE INDEX reverts_key ON reverts (key, at);

CREATE TABLE events (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  at      INTEGER NOT NULL,
  kind    TEXT    NOT NULL,
  message TEXT    NOT NULL,
  facts   TEXT    NOT NULL
) STRICT;

-- A call that goes on after its caller was answered (Prefer: respond-async).
CREATE TABLE operations (
  id         TEXT    PRIMARY KEY,
  created_at INTEGER NOT NULL,
  actor      TEXT    NOT NULL,
  request_id TEXT    NOT NULL,
  method     TEXT    NOT NULL,
  path       TEXT    NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('running', 'succeeded', 'failed', 'interrupted')),
  ended_at   INTEGER,
  status     INTEGER,
  body       TEXT,
  CONSTRAINT ended CHECK ((state = 'running') = (ended_at IS NULL))
) STRICT;

CREATE INDEX operations_created_at ON operations (created_at);

CREATE INDEX audit_domain ON audit (domain_id, id);
CREATE INDEX audit_domain_name ON audit (domain, id);

-- The last row of a domain before a release is one seek: what was released then, and which release moved it last.
CREATE INDEX release_rows_domain ON release_rows (domain_id, release);

-- Where a key was applied: pointed elsewhere by the settings, it has not been written by us yet.
ALTER TABLE applied ADD COLUMN place TEXT NOT NULL DEFAULT '';
