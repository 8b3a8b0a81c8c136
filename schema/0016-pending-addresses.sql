-- Addresses that gateways reported too soon after a change, or while a name goes back and forth: the newest of each type is
-- kept here and taken when it is due, also after a restart.

CREATE TABLE pending_addresses (
  host       TEXT    NOT NULL,
  type       TEXT    NOT NULL CHECK (type IN ('A', 'AAAA')),
  address    TEXT    NOT NULL,
  asked_at   INTEGER NOT NULL,
  due_at     INTEGER NOT NULL,
  held       INTEGER NOT NULL CHECK (held IN (0, 1)),
  actor      TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  request_id TEXT    NOT NULL,
  PRIMARY KEY (host, type)
) STRICT;
