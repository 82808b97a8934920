-- When a member was last in a room, to the minute: the other member sees it while this one is away. One value, no history; it goes with the
-- membership, and with the account. It is in no index, so that each change stays on its page (HOT), as that of read_seq does.
-- An older version survives it: it neither reads nor writes the column.
ALTER TABLE rooms.members ADD COLUMN seen_at timestamptz;
