-- A restore has two steps: one transaction fills the database, then the erasures made since the backup are repeated. Until the second step has
-- ended a row is here, and the server and all commands refuse the database.
-- Compatible with the previous version: it neither reads nor writes the table. It does not refuse the database either.
CREATE TABLE base.unfinished_restore (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  begun_at timestamptz NOT NULL
);
