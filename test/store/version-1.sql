-- What a program of the first schema left behind: every table has rows, an edit is not deployed, a step is open, a domain is gone.
-- Frozen: it is not to be made again by a newer program. Schema and migrations row come from whoever loads it.

INSERT INTO meta (key, value) VALUES
  ('installation_id', '8bc40c02-31e5-471c-a088-9374e5a879d5');
INSERT INTO meta (key, value) VALUES
  ('created_at', '1780300802000');
INSERT INTO meta (key, value) VALUES
  ('opened_at', '1780300803000');
INSERT INTO domains (id, domain, service_type, environment, backend_host, backend_port, protocol, tcp_entrypoint, cors_enabled, cors_origin, default_path, auth_required, ddns_enabled, ssl_enabled, health_check_path, middleware_config, static_ip, tags, note, status, status_reason, revision, created_at, updated_at, activated_at) VALUES
  (1, 'app.example.com', 'http', 'production', '10.0.0.5', 9090, 'http', NULL, 0, NULL, NULL, 1, 0, 1, NULL, '{"extra_middlewares":[]}', NULL, '[]', NULL, 'active', NULL, 3, 1780300804000, 1780300822000, 1780300809000);
INSERT INTO domains (id, domain, service_type, environment, backend_host, backend_port, protocol, tcp_entrypoint, cors_enabled, cors_origin, default_path, auth_required, ddns_enabled, ssl_enabled, health_check_path, middleware_config, static_ip, tags, note, status, status_reason, revision, created_at, updated_at, activated_at) VALUES
  (2, 'git.example.com', 'http', 'production', '10.0.0.5', 3000, 'http', NULL, 0, NULL, NULL, 1, 0, 1, NULL, '{"extra_middlewares":[]}', NULL, '[]', NULL, 'error', 'routes refused it', 3, 1780300806000, 1780300830000, 1780300811000);
INSERT INTO domains (id, domain, service_type, environment, backend_host, backend_port, protocol, tcp_entrypoint, cors_enabled, cors_origin, default_path, auth_required, ddns_enabled, ssl_enabled, health_check_path, middleware_config, static_ip, tags, note, status, status_reason, revision, created_at, updated_at, activated_at) VALUES
  (3, 'db.example.com', 'http', 'production', '10.0.0.5', 8080, 'tcp', 'postgres', 0, NULL, NULL, 1, 0, 0, NULL, '{"extra_middlewares":[]}', NULL, '[]', NULL, 'inactive', NULL, 3, 1780300807000, 1780300831000, 1780300813000);
INSERT INTO releases (number, created_at, actor, request_id, reason, plan_hash, warnings, results) VALUES
  (1, 1780300817000, 'key', 'req-1', 'deploy all', NULL, '["gone.example.com has no address"]', '{"routes":"repaired"}');
INSERT INTO releases (number, created_at, actor, request_id, reason, plan_hash, warnings, results) VALUES
  (2, 1780300824000, 'key', 'req-1', 'deploy app.example.com', NULL, '[]', '{}');
INSERT INTO release_rows (release, domain_id, revision, live, fields) VALUES
  (1, 1, 2, 1, '{"domain":"app.example.com","service_type":"http","environment":"production","backend_host":"10.0.0.5","backend_port":8080,"protocol":"http","tcp_entrypoint":null,"cors_enabled":false,"cors_origin":null,"default_path":null,"auth_required":true,"ddns_enabled":false,"ssl_enabled":true,"health_check_path":null,"middleware_config":{"extra_middlewares":[]},"static_ip":null,"tags":["web","front"],"note":"the \"front\" door"}');
INSERT INTO release_rows (release, domain_id, revision, live, fields) VALUES
  (1, 2, 2, 1, '{"domain":"git.example.com","service_type":"http","environment":"production","backend_host":"10.0.0.5","backend_port":8080,"protocol":"http","tcp_entrypoint":null,"cors_enabled":false,"cors_origin":null,"default_path":null,"auth_required":true,"ddns_enabled":false,"ssl_enabled":true,"health_check_path":null,"middleware_config":{"extra_middlewares":["compress"]},"static_ip":null,"tags":[],"note":null}');
INSERT INTO release_rows (release, domain_id, revision, live, fields) VALUES
  (1, 3, 2, 1, '{"domain":"db.example.com","service_type":"http","environment":"production","backend_host":"10.0.0.5","backend_port":8080,"protocol":"tcp","tcp_entrypoint":"postgres","cors_enabled":false,"cors_origin":null,"default_path":null,"auth_required":true,"ddns_enabled":false,"ssl_enabled":false,"health_check_path":null,"middleware_config":{"extra_middlewares":[]},"static_ip":null,"tags":[],"note":null}');
INSERT INTO release_rows (release, domain_id, revision, live, fields) VALUES
  (1, 4, 2, 1, '{"domain":"gone.example.com","service_type":"http","environment":"production","backend_host":"10.0.0.5","backend_port":8080,"protocol":"http","tcp_entrypoint":null,"cors_enabled":false,"cors_origin":null,"default_path":null,"auth_required":true,"ddns_enabled":false,"ssl_enabled":true,"health_check_path":null,"middleware_config":{"extra_middlewares":[]},"static_ip":null,"tags":[],"note":null}');
INSERT INTO release_rows (release, domain_id, revision, live, fields) VALUES
  (2, 1, 3, 1, '{"domain":"app.example.com","service_type":"http","environment":"production","backend_host":"10.0.0.5","backend_port":9090,"protocol":"http","tcp_entrypoint":null,"cors_enabled":false,"cors_origin":null,"default_path":null,"auth_required":true,"ddns_enabled":false,"ssl_enabled":true,"health_check_path":null,"middleware_config":{"extra_middlewares":[]},"static_ip":null,"tags":[],"note":null}');
INSERT INTO release_rows (release, domain_id, revision, live, fields) VALUES
  (2, 4, NULL, NULL, NULL);
INSERT INTO released (domain_id, release, revision, live, domain, plain_tcp_entrypoint, fields) VALUES
  (1, 2, 3, 1, 'app.example.com', NULL, '{"domain":"app.example.com","service_type":"http","environment":"production","backend_host":"10.0.0.5","backend_port":9090,"protocol":"http","tcp_entrypoint":null,"cors_enabled":false,"cors_origin":null,"default_path":null,"auth_required":true,"ddns_enabled":false,"ssl_enabled":true,"health_check_path":null,"middleware_config":{"extra_middlewares":[]},"static_ip":null,"tags":[],"note":null}');
INSERT INTO released (domain_id, release, revision, live, domain, plain_tcp_entrypoint, fields) VALUES
  (2, 1, 2, 1, 'git.example.com', NULL, '{"domain":"git.example.com","service_type":"http","environment":"production","backend_host":"10.0.0.5","backend_port":8080,"protocol":"http","tcp_entrypoint":null,"cors_enabled":false,"cors_origin":null,"default_path":null,"auth_required":true,"ddns_enabled":false,"ssl_enabled":true,"health_check_path":null,"middleware_config":{"extra_middlewares":["compress"]},"static_ip":null,"tags":[],"note":null}');
INSERT INTO released (domain_id, release, revision, live, domain, plain_tcp_entrypoint, fields) VALUES
  (3, 1, 2, 1, 'db.example.com', 'postgres', '{"domain":"db.example.com","service_type":"http","environment":"production","backend_host":"10.0.0.5","backend_port":8080,"protocol":"tcp","tcp_entrypoint":"postgres","cors_enabled":false,"cors_origin":null,"default_path":null,"auth_required":true,"ddns_enabled":false,"ssl_enabled":false,"health_check_path":null,"middleware_config":{"extra_middlewares":[]},"static_ip":null,"tags":[],"note":null}');
INSERT INTO blobs (digest, bytes) VALUES
  ('46adda780b323cdf368506ebbb37e01cf9275b279e2345e18e3845ab556a03a3', X'687474703a0a');
INSERT INTO blobs (digest, bytes) VALUES
  ('ccfb87fb4c2fad39c05d0006cc569ed0e97728f0f3cfd34c1bd4f11d18ebc57a', X'20206170700a');
INSERT INTO blobs (digest, bytes) VALUES
  ('ba8be9e9c9ddbe6c8fc1d3ebc82bc4cbbc734f656bf91ea55452df994841813c', X'20206769740a');
INSERT INTO blobs (digest, bytes) VALUES
  ('e8c9fa773ae73eeaeec03b55e89eb596310f2d6cd6147b47a139f7471a84c6f0', X'202061707020393039300a');
INSERT INTO release_artifacts (release, key, digest, manifest) VALUES
  (1, 'routes', '7026c9a46a931f53ea83a011359d9adb756102098c2f41fbae595a735b9224ee', '["46adda780b323cdf368506ebbb37e01cf9275b279e2345e18e3845ab556a03a3","ccfb87fb4c2fad39c05d0006cc569ed0e97728f0f3cfd34c1bd4f11d18ebc57a","ba8be9e9c9ddbe6c8fc1d3ebc82bc4cbbc734f656bf91ea55452df994841813c"]');
INSERT INTO release_artifacts (release, key, digest, manifest) VALUES
  (2, 'routes', '7da448dfe8633e9e4a309b440a7a0c75d6bbd6d61a236172e847f58aba8bc40a', '["46adda780b323cdf368506ebbb37e01cf9275b279e2345e18e3845ab556a03a3","e8c9fa773ae73eeaeec03b55e89eb596310f2d6cd6147b47a139f7471a84c6f0","ba8be9e9c9ddbe6c8fc1d3ebc82bc4cbbc734f656bf91ea55452df994841813c"]');
INSERT INTO journal (id, key, component, release, differences, before, after, at, outcome, code, message, found, ended_at) VALUES
  (1, 'routes', 'routes', 1, '["create routes.yml"]', 'aa', 'bb', 1780300818000, 'done', NULL, NULL, NULL, 1780300819000);
INSERT INTO journal (id, key, component, release, differences, before, after, at, outcome, code, message, found, ended_at) VALUES
  (2, 'routes', 'routes', 2, '["update routes.yml"]', 'bb', 'dd', 1780300825000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO audit (id, at, actor, request_id, action, domain_id, domain, revision_before, revision_after, plan_hash, detail) VALUES
  (1, 1780300805000, 'key', 'req-create', 'create', 1, 'app.example.com', NULL, 1, NULL, '{"fields":["domain"]}');
INSERT INTO audit (id, at, actor, request_id, action, domain_id, domain, revision_before, revision_after, plan_hash, detail) VALUES
  (2, 1780300821000, 'key', 'req-delete', 'delete', 4, 'gone.example.com', 2, 2, NULL, '{"fields":["domain"]}');
INSERT INTO audit (id, at, actor, request_id, action, domain_id, domain, revision_before, revision_after, plan_hash, detail) VALUES
  (3, 1780300823000, 'key', 'req-update', 'update', 1, 'app.example.com', 2, 3, NULL, '{"fields":["domain"]}');
INSERT INTO applied (key, release, digest, observed, at) VALUES
  ('routes', 1, '7026c9a46a931f53ea83a011359d9adb756102098c2f41fbae595a735b9224ee', 'cc', 1780300820000);
INSERT INTO attempts (key, failures, next_attempt_at, message) VALUES
  ('routes', 2, 1780300886000, 'routes.yml: no space left');
INSERT INTO modes (scope, mode, reason, actor, expires_at) VALUES
  ('routes', 'suspend', 'moving house', 'key', 1780304427000);
INSERT INTO deploy_status (id, status) VALUES
  (1, '{"success":true}');
INSERT INTO answers (key, request_digest, reserved_at, status, body) VALUES
  ('order-1', 'ee', 1780300828000, 201, '{"id":1}');
INSERT INTO answers (key, request_digest, reserved_at, status, body) VALUES
  ('order-2', 'ff', 1780300829000, NULL, NULL);

-- The number of the domain that is gone is not given again.
UPDATE sqlite_sequence SET seq = 4 WHERE name = 'domains';
