-- A restore is done in two steps: what was saved comes back in one transaction, then whoever was erased since is erased again. From the first
-- step to the end of the second a row stands here, and nothing is served from this database.
-- An older version survives it: it neither reads nor writes the table, and was never told of an unfinished restore.
CREATE TABLE base.unfinished_restore (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  begun_at timestamptz NOT NULL
);
