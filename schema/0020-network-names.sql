-- Names that clients of network controllers were given after their guests: a row before each write, with the name before.

CREATE TABLE network_renames (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  controller  TEXT    NOT NULL,
  site        TEXT    NOT NULL,
  -- Under which the controller keeps the client.
  user_id     TEXT    NOT NULL,
  mac         TEXT    NOT NULL,
  -- Null: it had none.
  name_before TEXT,
  name        TEXT    NOT NULL,
  -- Cluster and id of the guest, such as lab/qemu/101.
  guest       TEXT    NOT NULL,
  begun_at    INTEGER NOT NULL,
  ended_at    INTEGER,
  -- Null while it is not known what became of the write.
  outcome     TEXT    CHECK (outcome IN ('written', 'not_written', 'superseded')),
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
) STRICT;

CREATE INDEX network_renames_client ON network_renames (controller, site, mac);
