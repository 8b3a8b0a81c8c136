-- Edges: public ingress nodes that fetch the released routes, and the tokens with which they do.

-- Ids are never given twice: a token of an edge that is gone opens no other.
CREATE TABLE edges (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  name           TEXT    NOT NULL UNIQUE,
  hostname       TEXT,
  address        TEXT,
  region         TEXT,
  -- What its owner wants of it; what it is follows from this and from when it was heard of.
  desired_state  TEXT    NOT NULL CHECK (desired_state IN ('active', 'draining', 'offline')),
  revision       INTEGER NOT NULL,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  last_seen      INTEGER,
  -- What the edge said that it runs, and what it fetched last.
  config_version TEXT,
  served_version TEXT,
  -- When it was told that the edge is not heard of any more; null while it is, or was never.
  lost_at        INTEGER
) STRICT;

CREATE TABLE edge_tokens (
  id           TEXT    PRIMARY KEY,
  edge_id      INTEGER NOT NULL REFERENCES edges (id) ON DELETE CASCADE,
  -- SHA-256 of the secret, which is kept nowhere.
  digest       TEXT    NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER
) STRICT;

CREATE INDEX edge_tokens_edge ON edge_tokens (edge_id);
