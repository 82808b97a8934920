-- The log is read by the time of its entries, newest first, whatever it is narrowed to: each of these orders serves one filter,
-- with or without days, and none is read further than the page that is shown.
CREATE INDEX entries_newest ON audit.entries (at DESC, id DESC);
CREATE INDEX entries_newest_of_user ON audit.entries (user_id, at DESC, id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX entries_newest_of_room ON audit.entries (room_id, at DESC, id DESC) WHERE room_id IS NOT NULL;
CREATE INDEX entries_newest_of_action ON audit.entries (action, at DESC, id DESC);
DROP INDEX audit.entries_of_user, audit.entries_of_room, audit.entries_of_action, audit.entries_of_time;
-- Of an address and days alone the traces are counted without their entries.
DROP INDEX audit.traces_of_time;
CREATE INDEX traces_of_time ON audit.traces (at, ip);

-- What came of each verification of the whole chain. It proves nothing itself: whoever doubts it verifies again, offline.
CREATE TABLE audit.checks (
  at timestamptz PRIMARY KEY,
  ok boolean NOT NULL,
  -- The last block that was verified, or the first that is broken; 0 while nothing is sealed.
  block bigint NOT NULL CHECK (block >= 0),
  head text CHECK (head ~ '^[0-9a-f]{64}$'),
  entries bigint CHECK (entries >= 0),
  reason text,
  CHECK (ok = (head IS NOT NULL) AND ok = (entries IS NOT NULL) AND ok = (reason IS NULL))
);

-- People are found by the beginning of their names.
CREATE INDEX users_username_begins ON identity.users (username_key text_pattern_ops);
CREATE INDEX users_name_begins ON identity.users (lower(display_name) text_pattern_ops);
