-- The first schema: domain records in both editions, releases with what they froze, and the engine's memory.
--
-- Names are the model's names. Flags are 0/1, times are epoch milliseconds, lists and objects are JSON in TEXT that the
-- adapter alone reads. Queries stay plain, so that another database can hold the same tables; STRICT and AUTOINCREMENT
-- are SQLite's words for "typed" and "never hand out a number twice".

CREATE TABLE migrations (
  number     INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL,
  sha256     TEXT    NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- The working edition. The table constraints have the same meaning as src/model/domain-rules.ts; one test feeds both.
CREATE TABLE domains (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  domain            TEXT    NOT NULL UNIQUE,
  service_type      TEXT    NOT NULL CHECK (service_type IN
                      ('http', 'api', 'spa', 'proxy', 'websocket', 'static', 'tcp-proxy', 'internal', 'manual')),
  environment       TEXT    NOT NULL CHECK (environment IN ('production', 'development')),
  backend_host      TEXT,
  backend_port      INTEGER CHECK (backend_port BETWEEN 1 AND 65535),
  protocol          TEXT    NOT NULL CHECK (protocol IN ('http', 'tcp')),
  tcp_entrypoint    TEXT,
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
  CONSTRAINT backend_required CHECK (
    (service_type = 'manual' AND protocol = 'http') OR (backend_host IS NOT NULL AND backend_port IS NOT NULL)
  ),
  CONSTRAINT tcp_proxy_speaks_tcp CHECK (service_type <> 'tcp-proxy' OR protocol = 'tcp'),
  CONSTRAINT tcp_needs_entrypoint CHECK (protocol <> 'tcp' OR tcp_entrypoint IS NOT NULL),
  CONSTRAINT tcp_cannot_use_cors CHECK (protocol <> 'tcp' OR cors_enabled = 0),
  CONSTRAINT tcp_has_no_path CHECK (protocol <> 'tcp' OR default_path IS NULL),
  CONSTRAINT reason_belongs_to_error CHECK (status = 'error' OR status_reason IS NULL)
) STRICT;

-- Without TLS there is no name to tell TCP routes apart by, so an entrypoint has room for one.
CREATE UNIQUE INDEX domains_plain_tcp ON domains (tcp_entrypoint)
  WHERE protocol = 'tcp' AND ssl_enabled = 0 AND service_type <> 'manual' AND status <> 'disabled';

CREATE INDEX domains_updated_at ON domains (updated_at, id);

CREATE TABLE releases (
  number     INTEGER PRIMARY KEY AUTOINCREMENT,
  created_at INTEGER NOT NULL,
  actor      TEXT    NOT NULL,
  request_id TEXT    NOT NULL,
  reason     TEXT    NOT NULL,
  plan_hash  TEXT,
  warnings   TEXT    NOT NULL,
  results    TEXT    NOT NULL
) STRICT;

-- What each release moved: a row into the released edition, or out of it (fields is null). No reference to domains,
-- because the history outlives the record.
CREATE TABLE release_rows (
  release   INTEGER NOT NULL REFERENCES releases (number),
  domain_id INTEGER NOT NULL,
  revision  INTEGER,
  live      INTEGER CHECK (live IN (0, 1)),
  fields    TEXT,
  PRIMARY KEY (release, domain_id),
  CONSTRAINT in_or_out CHECK (
    (revision IS NULL AND live IS NULL AND fields IS NULL)
    OR (revision IS NOT NULL AND live IS NOT NULL AND fields IS NOT NULL)
  )
) STRICT;

-- The released edition as it stands now. A row outlives its record until a release moves it out.
CREATE TABLE released (
  domain_id            INTEGER PRIMARY KEY,
  release              INTEGER NOT NULL REFERENCES releases (number),
  revision             INTEGER NOT NULL,
  live                 INTEGER NOT NULL CHECK (live IN (0, 1)),
  domain               TEXT    NOT NULL,
  plain_tcp_entrypoint TEXT,
  fields               TEXT    NOT NULL
) STRICT;

CREATE UNIQUE INDEX released_domain ON released (domain) WHERE live = 1;
CREATE UNIQUE INDEX released_plain_tcp ON released (plain_tcp_entrypoint) WHERE live = 1;

-- Content-addressed: the digest is the SHA-256 of the bytes, so releases share what they have in common.
CREATE TABLE blobs (
  digest TEXT PRIMARY KEY,
  bytes  BLOB NOT NULL
) STRICT;

-- manifest: JSON list of blob digests, in the order in which the bytes follow one another.
CREATE TABLE release_artifacts (
  release  INTEGER NOT NULL REFERENCES releases (number),
  key      TEXT    NOT NULL,
  digest   TEXT    NOT NULL,
  manifest TEXT    NOT NULL,
  PRIMARY KEY (release, key)
) STRICT;

-- One row per step outside: the intent before, the outcome after. Open while outcome is null.
CREATE TABLE journal (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  key         TEXT    NOT NULL,
  component   TEXT    NOT NULL,
  release     INTEGER NOT NULL,
  differences TEXT    NOT NULL,
  before      TEXT    NOT NULL,
  after       TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  outcome     TEXT    CHECK (outcome IN ('done', 'failed', 'recovered')),
  code        TEXT,
  message     TEXT,
  found       TEXT    CHECK (found IN ('after', 'before', 'neither', 'unknown')),
  ended_at    INTEGER,
  CONSTRAINT ended_with_outcome CHECK ((outcome IS NULL) = (ended_at IS NULL))
) STRICT;

CREATE INDEX journal_open ON journal (id) WHERE outcome IS NULL;

CREATE TABLE audit (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  at              INTEGER NOT NULL,
  actor           TEXT    NOT NULL,
  request_id      TEXT    NOT NULL,
  action          TEXT    NOT NULL,
  domain_id       INTEGER,
  domain          TEXT,
  revision_before INTEGER,
  revision_after  INTEGER,
  plan_hash       TEXT,
  detail          TEXT    NOT NULL
) STRICT;

-- What was last put into the world under each key, and how the world looked right after it.
CREATE TABLE applied (
  key      TEXT    PRIMARY KEY,
  release  INTEGER NOT NULL,
  digest   TEXT    NOT NULL,
  observed TEXT    NOT NULL,
  at       INTEGER NOT NULL
) STRICT;

CREATE TABLE attempts (
  key             TEXT    PRIMARY KEY,
  failures        INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  message         TEXT    NOT NULL
) STRICT;

CREATE TABLE modes (
  scope      TEXT PRIMARY KEY,
  mode       TEXT NOT NULL CHECK (mode IN ('repair', 'observe', 'suspend')),
  reason     TEXT NOT NULL,
  actor      TEXT NOT NULL,
  expires_at INTEGER
) STRICT;

CREATE TABLE deploy_status (
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  status TEXT    NOT NULL
) STRICT;

-- Answers to calls with an Idempotency-Key. Reserved first; status and body come with the answer.
CREATE TABLE answers (
  key            TEXT    PRIMARY KEY,
  request_digest TEXT    NOT NULL,
  reserved_at    INTEGER NOT NULL,
  status         INTEGER,
  body           TEXT,
  CONSTRAINT whole_answer CHECK ((status IS NULL) = (body IS NULL))
) STRICT;

CREATE INDEX answers_reserved_at ON answers (reserved_at);
