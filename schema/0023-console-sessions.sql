-- Sign-ins to the console that last: who has shown a key or a code, for a while.

CREATE TABLE console_sessions (
  id         TEXT    PRIMARY KEY,
  -- SHA-256 of the cookie, which is kept nowhere.
  digest     TEXT    NOT NULL UNIQUE,
  way        TEXT    NOT NULL CHECK (way IN ('key', 'link')),
  -- The API key that was shown, or by which the code was made: the sign-in ends with it.
  key_id     TEXT    NOT NULL,
  client     TEXT    NOT NULL,
  -- How the browser calls itself; null where it does not.
  agent      TEXT,
  created_at INTEGER NOT NULL,
  used_at    INTEGER NOT NULL
) STRICT;
