-- What was set without an end before something with an end was set over it: it stands again at that end.

ALTER TABLE modes ADD COLUMN standing_mode TEXT CHECK (standing_mode IN ('repair', 'observe', 'suspend'));
ALTER TABLE modes ADD COLUMN standing_reason TEXT;
ALTER TABLE modes ADD COLUMN standing_actor TEXT;
