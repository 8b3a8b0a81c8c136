-- Heartbeats: watchers elsewhere that call in at intervals, and the tokens with which they do.

-- Ids are never given twice: a token of a heartbeat that is gone opens no other of its name.
CREATE TABLE heartbeats (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT    NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_seen  INTEGER,
  -- Since when it counts as silent; null while it does not.
  silent_at  INTEGER
) STRICT;

CREATE TABLE heartbeat_tokens (
  id           TEXT    PRIMARY KEY,
  heartbeat_id INTEGER NOT NULL REFERENCES heartbeats (id) ON DELETE CASCADE,
  -- SHA-256 of the secret, which is kept nowhere.
  digest       TEXT    NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER
) STRICT;

CREATE INDEX heartbeat_tokens_heartbeat ON heartbeat_tokens (heartbeat_id);
