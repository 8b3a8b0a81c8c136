-- When the provider said that it was started, as we saw it come up with `text`: the same start runs the same rules, whatever clocks
-- say. Null where it has no way to tell, and for what was seen before.
ALTER TABLE sso_provider ADD COLUMN started_at INTEGER;
