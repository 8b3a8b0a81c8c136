-- What we wrote of each installed certificate: the bytes of its chain, which are public, so that its file can be written
-- again without a new order, and the digest of its key, whose bytes are in a file and never here.

CREATE TABLE certificate_chains (
  name         TEXT PRIMARY KEY REFERENCES certificates (name) ON DELETE CASCADE,
  -- Of the certificate that the chain is for; of another one it says nothing.
  fingerprint  TEXT NOT NULL,
  chain_pem    TEXT NOT NULL,
  chain_sha256 TEXT NOT NULL,
  key_sha256   TEXT NOT NULL
) STRICT;
