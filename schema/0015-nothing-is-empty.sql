-- An empty text is no backend and no entrypoint: the check constraints say so, as the API does. A constraint cannot be added
-- to a table, so it is made anew with all that it had (https://sqlite.org/lang_altertable.html#otheralter).

-- A row that a hand wrote and that would not fit now is damage that is told by name; it must not keep the daemon from
-- starting.
PRAGMA ignore_check_constraints = ON;

CREATE TABLE domains_made_anew (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  domain            TEXT    NOT NULL UNIQUE,
  service_type      TEXT    NOT NULL CHECK (service_type IN
                      ('http', 'api', 'spa', 'proxy', 'websocket', 'static', 'tcp-proxy', 'internal', 'manual')),
  environment       TEXT    NOT NULL CHECK (environment IN ('production', 'development')),
  backend_host      TEXT    CHECK (backend_host <> ''),
  backend_port      INTEGER CHECK (backend_port BETWEEN 1 AND 65535),
  protocol          TEXT    NOT NULL CHECK (protocol IN ('http', 'tcp')),
  tcp_entrypoint    TEXT    CHECK (tcp_entrypoint <> ''),
  cors_enabled      INTEGER NOT NULL CHECK (cors_enabled IN (0, 1)),
  cors_origin       TEXT,
  default_path      TEXT,
  auth_required     INTEGER NOT NULL CHECK (auth_required IN (0, 1)),
  ddns_enabled      INTEGER NOT NULL CHECK (ddns_enabled IN (0, 1)),
  ssl_enabled       INTEGER NOT NULL CHECK (ssl_enabled IN (0, 1)),
  health_check_path TEXT,
  middleware_config TEXT    NOT NULL,
  static_ip         TEXT,
  tags              TEXT    NOT NULL,
  note              TEXT,
  status            TEXT    NOT NULL CHECK (status IN ('active', 'inactive', 'disabled', 'error')),
  status_reason     TEXT,
  revision          INTEGER NOT NULL CHECK (revision >= 1),
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  activated_at      INTEGER,
  dns_ttl           INTEGER CHECK (dns_ttl BETWEEN 30 AND 86400),
  dns_proxied       INTEGER CHECK (dns_proxied IN (0, 1)),
  digest            TEXT,
  CONSTRAINT backend_required CHECK (
    (service_type = 'manual' AND protocol = 'http') OR (backend_host IS NOT NULL AND backend_port IS NOT NULL)
  ),
  CONSTRAINT tcp_proxy_speaks_tcp CHECK (service_type <> 'tcp-proxy' OR protocol = 'tcp'),
  CONSTRAINT tcp_needs_entrypoint CHECK (protocol <> 'tcp' OR tcp_entrypoint IS NOT NULL),
  CONSTRAINT tcp_cannot_use_cors CHECK (protocol <> 'tcp' OR cors_enabled = 0),
  CONSTRAINT tcp_has_no_path CHECK (protocol <> 'tcp' OR default_path IS NULL),
  CONSTRAINT reason_belongs_to_error CHECK (status = 'error' OR status_reason IS NULL)
) STRICT;

INSERT INTO domains_made_anew (
  id, domain, service_type, environment, backend_host, backend_port, protocol, tcp_entrypoint, cors_enabled, cors_origin,
  default_path, auth_required, ddns_enabled, ssl_enabled, health_check_path, middleware_config, static_ip, tags, note,
  status, status_reason, revision, created_at, updated_at, activated_at, dns_ttl, dns_proxied, digest
) SELECT
  id, domain, service_type, environment, backend_host, backend_port, protocol, tcp_entrypoint, cors_enabled, cors_origin,
  default_path, auth_required, ddns_enabled, ssl_enabled, health_check_path, middleware_config, static_ip, tags, note,
  status, status_reason, revision, created_at, updated_at, activated_at, dns_ttl, dns_proxied, digest
FROM domains;

-- The numbers of deleted records are not given again.
DELETE FROM sqlite_sequence WHERE name = 'domains_made_anew';
INSERT INTO sqlite_sequence (name, seq) SELECT 'domains_made_anew', seq FROM sqlite_sequence WHERE name = 'domains';

DROP TABLE domains;
ALTER TABLE domains_made_anew RENAME TO domains;

-- Without TLS there is no name to tell TCP routes apart by, so an entrypoint has room for one.
CREATE UNIQUE INDEX domains_plain_tcp ON domains (tcp_entrypoint)
  WHERE protocol = 'tcp' AND ssl_enabled = 0 AND service_type <> 'manual' AND status <> 'disabled';

CREATE INDEX domains_updated_at ON domains (updated_at, id);

PRAGMA ignore_check_constraints = OFF;
