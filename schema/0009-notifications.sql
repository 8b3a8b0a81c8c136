-- Notifications: troubles that have lasted long enough to be told, who was told of them, and messages on their way.
-- Nothing secret is in them: no address of a webhook, no key.

CREATE TABLE noticed_troubles (
  id         TEXT    PRIMARY KEY,
  -- JSON: kind, severity, component, domains, since, sentence and remedy, as last seen.
  trouble    TEXT    NOT NULL,
  noticed_at INTEGER NOT NULL,
  -- Since when it is known to be over; null while it is not.
  gone_at    INTEGER,
  -- How often it came back soon after its end.
  returns    INTEGER NOT NULL,
  -- JSON list: channels that believe it to be open, with the worst that they were told, and when.
  told       TEXT    NOT NULL
) STRICT;

CREATE TABLE notification_deliveries (
  id          TEXT    PRIMARY KEY,
  channel     TEXT    NOT NULL,
  -- JSON: exactly what is sent, at every try.
  message     TEXT    NOT NULL,
  -- JSON lists: what the channel believes to be open, and over, once it has the message.
  tells       TEXT    NOT NULL,
  ends        TEXT    NOT NULL,
  state       TEXT    NOT NULL CHECK (state IN ('owed', 'sent', 'refused', 'given_up')),
  attempts    INTEGER NOT NULL,
  next_try_at INTEGER NOT NULL,
  detail      TEXT,
  created_at  INTEGER NOT NULL,
  ended_at    INTEGER
) STRICT;

CREATE INDEX notification_deliveries_channel ON notification_deliveries (channel, created_at);
