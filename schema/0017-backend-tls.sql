-- How the proxy speaks to a backend. Both null: as before, TLS on port 443, judged by what the proxy's host trusts.
-- "backend_tls" is a JSON object. The digest of a record where both are null is the one that it had.

-- As in 0015: a row that a hand wrote is damage that is told by name; it must not keep the daemon from starting.
PRAGMA ignore_check_constraints = ON;

ALTER TABLE domains ADD COLUMN backend_scheme TEXT CONSTRAINT backend_scheme_is_for_http CHECK (
  backend_scheme IS NULL OR (backend_scheme IN ('http', 'https', 'h2c') AND protocol <> 'tcp')
);
ALTER TABLE domains ADD COLUMN backend_tls TEXT CONSTRAINT backend_tls_needs_https CHECK (
  backend_tls IS NULL OR (
    protocol <> 'tcp'
    AND COALESCE(backend_scheme, CASE backend_port WHEN 443 THEN 'https' ELSE 'http' END) = 'https'
  )
);

PRAGMA ignore_check_constraints = OFF;

-- Rows of the released edition hold every field. What is no JSON by now stays the damage that it is.
UPDATE released SET fields = json_set(fields, '$.backend_scheme', NULL, '$.backend_tls', NULL)
  WHERE json_valid(fields);
UPDATE release_rows SET fields = json_set(fields, '$.backend_scheme', NULL, '$.backend_tls', NULL)
  WHERE fields IS NOT NULL AND json_valid(fields);
