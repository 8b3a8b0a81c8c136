-- The place that a step writes as one, such as a file's path; null where it writes parts of it.
ALTER TABLE journal ADD COLUMN place TEXT;
-- A file is written by one difference, which names it behind the verb.
UPDATE journal SET place = substr(json_extract(differences, '$[0]'), instr(json_extract(differences, '$[0]'), ' ') + 1)
  WHERE outcome IS NULL AND json_valid(differences);
