-- Records in error because the proxy does not serve them: they stay so while nobody can see the proxy. A row is dropped with
-- the next change of the record's status.
CREATE TABLE unserved_records (
  domain_id INTEGER PRIMARY KEY REFERENCES domains (id) ON DELETE CASCADE
) STRICT;
-- Until now their reason alone said it.
INSERT INTO unserved_records (domain_id)
  SELECT id FROM domains WHERE status = 'error' AND substr(status_reason, 1, 25) = 'The proxy does not serve ';
