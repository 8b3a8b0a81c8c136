-- When the last of them was: a wait that was kept while the clock was ahead is over once it is set right.
ALTER TABLE attempts ADD COLUMN failed_at INTEGER NOT NULL DEFAULT 0;
