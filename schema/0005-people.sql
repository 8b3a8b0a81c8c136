-- People whom we invited or whose access we ended, invitations under way, and mails. Mail texts are never here, and a
-- password hash only until the users file holds it.

CREATE TABLE people (
  username      TEXT    PRIMARY KEY,
  -- 'invited': made by us. 'file': was in the users file before; of such a user only the revocation is ours.
  origin        TEXT    NOT NULL CHECK (origin IN ('invited', 'file')),
  display_name  TEXT    NOT NULL,
  email         TEXT    NOT NULL,
  -- JSON list; null for a user whose groups are not ours.
  groups        TEXT,
  revoked_at    INTEGER,
  -- The hash that the users file is still to receive.
  password_hash TEXT,
  -- When the users file was first seen to hold the user.
  written_at    INTEGER,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE invitations (
  username   TEXT    PRIMARY KEY REFERENCES people (username),
  -- The last one that is done.
  step       TEXT    NOT NULL CHECK (step IN ('planned', 'hashed', 'written', 'loaded', 'done')),
  -- Key of its mail, a new one for each that a person asks for.
  mail_key   TEXT    NOT NULL,
  -- What is in the way of the next step; null while nothing is.
  detail     TEXT,
  failures   INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE mails (
  id           TEXT    PRIMARY KEY,
  -- Whoever sends twice under one key has sent once.
  key          TEXT    NOT NULL UNIQUE,
  message_id   TEXT    NOT NULL,
  from_address TEXT    NOT NULL,
  recipients   INTEGER NOT NULL,
  state        TEXT    NOT NULL CHECK (state IN ('begun', 'sending', 'sent', 'refused', 'unknown')),
  detail       TEXT,
  provider_id  TEXT,
  begun_at     INTEGER NOT NULL,
  ended_at     INTEGER
) STRICT;

CREATE INDEX mails_begun ON mails (begun_at);

-- Things that are owed to the outside world after a write, such as a restart of the SSO provider.
CREATE TABLE people_debts (
  name  TEXT    PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT;
