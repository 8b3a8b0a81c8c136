-- Gateways of VPN sites: what each showed at the first contact, and which key its server had at the last.

CREATE TABLE vpn_gateways (
  site_id             TEXT    PRIMARY KEY,
  -- `host:port` that the rest was seen at: another place is another gateway.
  place               TEXT    NOT NULL,
  -- `type base64`; null where it is pinned by a setting.
  host_key            TEXT,
  server_public_key   TEXT,
  -- The key that the server had before, and when it was seen to have another one.
  replaced_public_key TEXT,
  replaced_at         INTEGER,
  CHECK ((replaced_public_key IS NULL) = (replaced_at IS NULL))
) STRICT;
