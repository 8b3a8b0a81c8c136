-- Certificates that we obtain ourselves: what is installed, the orders under way, what failed, and what counts against
-- the limits of an authority. Keys are in files and never here.

CREATE TABLE certificates (
  name        TEXT    PRIMARY KEY,
  -- JSON list.
  names       TEXT    NOT NULL,
  directory   TEXT    NOT NULL,
  issuer      TEXT    NOT NULL,
  serial      TEXT    NOT NULL,
  key_type    TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  not_before  INTEGER NOT NULL,
  not_after   INTEGER NOT NULL,
  obtained_at INTEGER NOT NULL,
  ari_id      TEXT,
  -- The window that the authority suggested for the certificate of that id (RFC 9773), and the moment chosen within it.
  ari_for     TEXT,
  ari_start   INTEGER,
  ari_end     INTEGER,
  ari_moment  INTEGER,
  ari_ask_at  INTEGER
) STRICT;

CREATE TABLE certificate_orders (
  id          TEXT    PRIMARY KEY,
  -- One order in flight for each certificate.
  name        TEXT    NOT NULL UNIQUE,
  names       TEXT    NOT NULL,
  directory   TEXT    NOT NULL,
  rehearsal   INTEGER NOT NULL CHECK (rehearsal IN (0, 1)),
  replaces    TEXT,
  step        TEXT    NOT NULL,
  order_url   TEXT,
  -- JSON list of the TXT records that may stand at the provider.
  challenges  TEXT    NOT NULL,
  reason      TEXT    NOT NULL,
  started_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;

CREATE TABLE certificate_trouble (
  name        TEXT    PRIMARY KEY,
  failures    INTEGER NOT NULL,
  directory   TEXT    NOT NULL,
  code        TEXT    NOT NULL,
  message     TEXT    NOT NULL,
  failed_at   INTEGER NOT NULL,
  next_try_at INTEGER NOT NULL,
  -- The next try begins with a rehearsal at a directory that counts nothing.
  rehearse    INTEGER NOT NULL CHECK (rehearse IN (0, 1))
) STRICT;

CREATE TABLE certificate_ledger (
  id        INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  directory TEXT    NOT NULL,
  kind      TEXT    NOT NULL CHECK (kind IN ('ordered', 'issued', 'failed_authorization')),
  -- The name set of an order, as JSON; the name of a failed authorisation.
  subject   TEXT    NOT NULL
) STRICT;

CREATE INDEX certificate_ledger_subject ON certificate_ledger (directory, kind, subject, at);
