-- What guests of clusters told of their addresses: a guest that falls silent goes on having them, also over a restart.

CREATE TABLE guest_addresses (
  cluster  TEXT NOT NULL,
  -- `qemu/101`
  guest    TEXT NOT NULL,
  -- Lists in JSON: its cards, the addresses of its settings when it told, and what it told.
  macs     TEXT NOT NULL,
  fixed    TEXT NOT NULL,
  reported TEXT NOT NULL,
  PRIMARY KEY (cluster, guest)
) STRICT;
