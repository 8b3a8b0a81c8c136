-- SSH targets: what can be reached through the SSH gateway by a name, as it was taken in, and as it was released.

CREATE TABLE ssh_targets (
  -- `guest:CLUSTER/VMID`, or `setting:NAME`.
  id         TEXT    PRIMARY KEY,
  name       TEXT    NOT NULL,
  address    TEXT    NOT NULL,
  port       INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
  user       TEXT    NOT NULL,
  source     TEXT    NOT NULL CHECK (source IN ('guest', 'setting')),
  cluster    TEXT,
  vmid       INTEGER,
  state      TEXT    NOT NULL CHECK (state IN ('present', 'gone')),
  -- Since when there is no such guest any more; null while there is.
  lost_at    INTEGER,
  -- The key by which it is known, `type base64`; null before the first contact.
  host_key   TEXT,
  key_origin TEXT    CHECK (key_origin IN ('setting', 'contact')),
  -- Another key, which it showed at the last contact, and since when; never taken for its own.
  shown_key  TEXT,
  shown_at   INTEGER,
  CHECK ((state = 'gone') = (lost_at IS NOT NULL)),
  CHECK ((host_key IS NULL) = (key_origin IS NULL)),
  CHECK ((shown_key IS NULL) = (shown_at IS NULL))
) STRICT;

-- The released edition: what stands in the configuration of the gateway.
CREATE TABLE ssh_proxy_hosts (
  name     TEXT    PRIMARY KEY,
  address  TEXT    NOT NULL,
  port     INTEGER NOT NULL,
  user     TEXT    NOT NULL,
  host_key TEXT
) STRICT;
