-- Activations that were accepted and whose end nobody has seen yet: written with the activation, dropped with its answer.
-- What a start finds here was cut off, and what its components make of it is still to be said on the record.
CREATE TABLE open_activations (
  domain_id INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL
) STRICT;
