-- Which rooms a person has, by when something last happened in them: one row a member, so that a page of a list is read off
-- an index, however many rooms there are. A message moves its room's rows, at most once a minute.
-- Whoever touches a row holds the room's counter, so these rows add no lock of their own to wait for; they hang on the
-- counter for the same reason as messages do, and not on the member, whose row is locked before it.
CREATE TABLE rooms.activity (
  room_id bigint NOT NULL REFERENCES rooms.counters (room_id) ON DELETE CASCADE,
  user_id bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (room_id, user_id)
);
CREATE INDEX activity_user_idx ON rooms.activity (user_id, at DESC, room_id DESC);

-- What the rows above were last set to: the counter is locked and read for every message anyway.
ALTER TABLE rooms.counters ADD COLUMN active_at timestamptz NOT NULL DEFAULT 'epoch';

UPDATE rooms.counters c SET active_at = coalesce(
  (SELECT m.created_at FROM rooms.messages m WHERE m.room_id = c.room_id ORDER BY m.seq DESC LIMIT 1),
  (SELECT r.created_at FROM rooms.rooms r WHERE r.id = c.room_id)
);
INSERT INTO rooms.activity (room_id, user_id, at)
  SELECT m.room_id, m.user_id, c.active_at FROM rooms.members m JOIN rooms.counters c USING (room_id);
