-- A second secret of each sign-in. Browsers send a cookie to every port of a host, so whatever else runs there learns it: what
-- changes something takes this secret, too, which the page of the sign-in keeps and only pages of its own origin can read.
-- SHA-256 of it. Sign-ins from before have none and end with the next start.
ALTER TABLE console_sessions ADD COLUMN secret_digest TEXT;
