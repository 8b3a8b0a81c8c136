-- Beside each saved record the SHA-256 of its content, written in the transaction that writes the row: a row that does
-- not fit it was changed by no call. Rows that were there before get theirs in this migration's transaction, by the
-- program (src/adapters/sqlite/record-digest.ts): SQL has no word for it.
ALTER TABLE domains ADD COLUMN digest TEXT;
