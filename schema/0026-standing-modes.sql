-- What a mode that has an end was set over: as each end comes, the next that has not ended stands again.

-- JSON, newest first: [{mode, reason, actor, expires_at}, …]
ALTER TABLE modes ADD COLUMN below TEXT NOT NULL DEFAULT '[]';
-- Its end has come and was told, and nothing stood below it.
ALTER TABLE modes ADD COLUMN end_reported INTEGER NOT NULL DEFAULT 0 CHECK (end_reported IN (0, 1));
-- What ended before anybody told of ends is no news.
UPDATE modes SET end_reported = 1 WHERE expires_at <= unixepoch() * 1000;
