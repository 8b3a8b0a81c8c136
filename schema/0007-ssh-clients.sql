-- Clients of the SSH gateway: keys that may log in. They are in force as soon as they are saved.

CREATE TABLE ssh_clients (
  -- "SHA256:" and the digest of the key, as ssh-keygen shows it.
  fingerprint TEXT    PRIMARY KEY CHECK (fingerprint LIKE 'SHA256:%'),
  type        TEXT    NOT NULL,
  -- Base64.
  key         TEXT    NOT NULL UNIQUE,
  bits        INTEGER NOT NULL,
  name        TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  -- JSON object.
  options     TEXT    NOT NULL,
  revision    INTEGER NOT NULL CHECK (revision >= 1),
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;
