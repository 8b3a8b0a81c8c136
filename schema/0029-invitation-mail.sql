-- How the mail of an invitation ended, null before it has; `detail` says why in words.
ALTER TABLE invitations ADD COLUMN mail TEXT CHECK (mail IN ('sent', 'not_known', 'not_sent'));
-- Until now the words alone said it.
UPDATE invitations SET mail = CASE
  WHEN detail IS NULL THEN 'sent'
  WHEN substr(detail, 1, 38) = 'Whether the mail went out is not known' THEN 'not_known'
  ELSE 'not_sent'
END WHERE step = 'done';
