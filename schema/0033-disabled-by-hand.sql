-- Whether the users file was last seen to disable a user of ours: an entry that is lost comes back no more open than it was.
-- Null: nobody has looked since there is this column, so it may.
ALTER TABLE people ADD COLUMN disabled INTEGER CHECK (disabled IN (0, 1));
-- Whom the file does not hold yet nobody can have disabled there.
UPDATE people SET disabled = 0 WHERE written_at IS NULL;
