-- What a provider was asked for and no listing has shown yet: changes (applying) and removals (removing).

CREATE TABLE dns_records_new (
  account   TEXT    NOT NULL,
  zone      TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  type      TEXT    NOT NULL CHECK (type IN ('A', 'AAAA')),
  domain_id INTEGER NOT NULL,
  state     TEXT    NOT NULL
    CHECK (state IN ('sending', 'owned', 'applying', 'removing', 'adopted', 'releasing')),
  ttl       INTEGER,
  "values"  TEXT    NOT NULL,
  proxied   INTEGER CHECK (proxied IN (0, 1)),
  ids       TEXT    NOT NULL,
  sent_at   INTEGER NOT NULL,
  PRIMARY KEY (account, zone, name, type)
) STRICT;

INSERT INTO dns_records_new
SELECT account, zone, name, type, domain_id, state, ttl, "values", proxied, ids, sent_at FROM dns_records;

DROP TABLE dns_records;

ALTER TABLE dns_records_new RENAME TO dns_records;

CREATE INDEX dns_records_domain ON dns_records (domain_id);
