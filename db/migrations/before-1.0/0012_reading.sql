-- How far each member has read. It moves with almost every message, so it is in no index and pages keep room for it:
-- each move then stays on its page (HOT).
ALTER TABLE rooms.members ADD COLUMN read_seq bigint NOT NULL DEFAULT 0;
ALTER TABLE rooms.members SET (fillfactor = 70);

-- What was said before marks were kept counts as read.
UPDATE rooms.members m SET read_seq = c.last_seq FROM rooms.counters c WHERE c.room_id = m.room_id;

-- Nobody has yet to read what is not theirs to read.
ALTER TABLE rooms.members ADD CONSTRAINT members_read_seq CHECK (read_seq >= since_seq);
