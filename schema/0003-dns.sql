-- DNS: which record sets are ours, which zones there are, and what gateways report of their addresses.

ALTER TABLE domains ADD COLUMN dns_ttl INTEGER CHECK (dns_ttl BETWEEN 30 AND 86400);
ALTER TABLE domains ADD COLUMN dns_proxied INTEGER CHECK (dns_proxied IN (0, 1));

-- Rows of the released edition hold every field; those that were deployed before these fields existed had none.
UPDATE released SET fields = json_set(fields, '$.dns_ttl', NULL, '$.dns_proxied', NULL);
UPDATE release_rows SET fields = json_set(fields, '$.dns_ttl', NULL, '$.dns_proxied', NULL) WHERE fields IS NOT NULL;

-- Disabled or deleted: nothing of it shall remain outside. Only such rows let anything be taken away.
ALTER TABLE released ADD COLUMN retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1));
ALTER TABLE release_rows ADD COLUMN retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1));

CREATE TABLE dns_zones (
  account   TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  writable  INTEGER NOT NULL CHECK (writable IN (0, 1)),
  detail    TEXT,
  listed_at INTEGER NOT NULL,
  PRIMARY KEY (account, name)
) STRICT;

-- What we sent and where. "values" and "ids" are JSON lists. No reference to domains: a record outlives its domain
-- until the provider has taken it away.
CREATE TABLE dns_records (
  account   TEXT    NOT NULL,
  zone      TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  type      TEXT    NOT NULL CHECK (type IN ('A', 'AAAA')),
  domain_id INTEGER NOT NULL,
  state     TEXT    NOT NULL CHECK (state IN ('sending', 'owned', 'adopted', 'releasing')),
  ttl       INTEGER,
  "values"  TEXT    NOT NULL,
  proxied   INTEGER CHECK (proxied IN (0, 1)),
  ids       TEXT    NOT NULL,
  sent_at   INTEGER NOT NULL,
  PRIMARY KEY (account, zone, name, type)
) STRICT;

CREATE INDEX dns_records_domain ON dns_records (domain_id);

CREATE TABLE reported_addresses (
  host        TEXT    PRIMARY KEY,
  ipv4        TEXT,
  ipv6        TEXT,
  changed_at  INTEGER NOT NULL,
  reported_at INTEGER NOT NULL
) STRICT;

CREATE TABLE address_changes (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  host    TEXT    NOT NULL,
  type    TEXT    NOT NULL CHECK (type IN ('A', 'AAAA')),
  address TEXT    NOT NULL,
  at      INTEGER NOT NULL,
  actor   TEXT    NOT NULL
) STRICT;

CREATE INDEX address_changes_host ON address_changes (host, id);

CREATE TABLE ddns_tokens (
  id           TEXT    PRIMARY KEY,
  host         TEXT    NOT NULL,
  digest       TEXT    NOT NULL UNIQUE,
  label        TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  last_used_at INTEGER
) STRICT;

CREATE INDEX ddns_tokens_host ON ddns_tokens (host);
