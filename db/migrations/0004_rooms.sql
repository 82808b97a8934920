-- Rooms: two seats, the invite, and the messages in one unbroken order.
CREATE SCHEMA rooms;

CREATE TABLE rooms.rooms (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (char_length(btrim(name)) >= 3 AND char_length(name) <= 80),
  description text CHECK (char_length(description) <= 500),
  created_by_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  -- Its trade has ended: the room is inactive.
  ended_at timestamptz,
  -- Deleted after its trade: kept to the end of retention, shown to nobody.
  deleted_at timestamptz
);

-- read_seq moves with almost every message: it is in no index and pages keep room for it, so that each move stays on its page (HOT).
CREATE TABLE rooms.members (
  room_id bigint NOT NULL REFERENCES rooms.rooms (id) ON DELETE CASCADE,
  user_id bigint NOT NULL,
  role text NOT NULL CHECK (role IN ('buyer', 'seller')),
  joined_at timestamptz NOT NULL,
  -- The member sees messages above this one: what was said to somebody who left is not theirs to read.
  since_seq bigint NOT NULL DEFAULT 0 CHECK (since_seq >= 0),
  -- Left during a trade: the seat is kept, the room hidden from this member's list.
  hidden_at timestamptz,
  -- How far the member has read.
  read_seq bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (room_id, user_id),
  -- Checked at the end of a statement, so that one UPDATE may swap both seats.
  CONSTRAINT members_room_role_key UNIQUE (room_id, role) DEFERRABLE INITIALLY IMMEDIATE,
  -- What is not theirs to read does not count as unread.
  CONSTRAINT members_read_seq CHECK (read_seq >= since_seq)
) WITH (fillfactor = 70);
CREATE INDEX members_user_idx ON rooms.members (user_id, room_id DESC);

CREATE TABLE rooms.invites (
  room_id bigint PRIMARY KEY REFERENCES rooms.rooms (id) ON DELETE CASCADE,
  code text NOT NULL UNIQUE CHECK (code ~ '^[A-Z2-7]{10}$'),
  created_by_id bigint NOT NULL,
  created_at timestamptz NOT NULL
);

-- The message counter: a row of its own, locked last of all. The free space in each page lets every step stay on its page (HOT).
CREATE TABLE rooms.counters (
  room_id bigint PRIMARY KEY REFERENCES rooms.rooms (id) ON DELETE CASCADE,
  last_seq bigint NOT NULL DEFAULT 0 CHECK (last_seq >= 0),
  -- What the rows of rooms.activity were last set to: every message locks and reads the counter anyway.
  active_at timestamptz NOT NULL DEFAULT 'epoch'
) WITH (fillfactor = 50);

-- Which rooms a person has, by when something last happened in them: one row for each member, so that a page of a list is read off an
-- index, however many rooms there are. A message moves its room's rows, at most once a minute. Code that changes a row holds the room's
-- counter, so these rows add no lock to wait for. They refer to the counter for the same reason as messages do, and not to the member,
-- whose row is locked before it.
CREATE TABLE rooms.activity (
  room_id bigint NOT NULL REFERENCES rooms.counters (room_id) ON DELETE CASCADE,
  user_id bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (room_id, user_id)
);
CREATE INDEX activity_user_idx ON rooms.activity (user_id, at DESC, room_id DESC);

-- Messages refer to the counter and not to the room: code that inserts one holds the counter already, so the foreign key takes no lock on
-- the room row, which a trade change holds while it waits for the counter.
CREATE TABLE rooms.messages (
  id bigint GENERATED ALWAYS AS IDENTITY,
  room_id bigint NOT NULL REFERENCES rooms.counters (room_id) ON DELETE CASCADE,
  seq bigint NOT NULL CHECK (seq > 0),
  sender_id bigint,
  client_id uuid,
  type text NOT NULL CHECK (type IN ('text', 'image', 'system', 'payment', 'payment_qr')),
  content text CHECK (char_length(content) <= 4000),
  code text,
  params jsonb,
  image_url text,
  created_at timestamptz NOT NULL,
  -- The large picture's size in pixels, so that the page keeps its place free.
  image_width integer CHECK (image_width > 0),
  image_height integer CHECK (image_height > 0),
  -- A message's digest reveals nothing of its words without the salt, which goes with the row.
  salt bytea CONSTRAINT messages_salt CHECK (octet_length(salt) = 16),
  PRIMARY KEY (id, created_at),
  -- A member can only send text and images; everything else is the server's, and has no sender.
  CONSTRAINT messages_voice CHECK ((sender_id IS NOT NULL) = (type IN ('text', 'image'))),
  CONSTRAINT messages_client CHECK ((client_id IS NOT NULL) = (sender_id IS NOT NULL)),
  CONSTRAINT messages_text CHECK (type <> 'text' OR (content IS NOT NULL AND btrim(content) <> '')),
  CONSTRAINT messages_image CHECK ((image_url IS NOT NULL) = (type = 'image')),
  CONSTRAINT messages_image_size CHECK (
    (image_width IS NOT NULL) = (type = 'image') AND (image_height IS NOT NULL) = (type = 'image')
  ),
  CONSTRAINT messages_notice CHECK (
    CASE WHEN sender_id IS NULL
      THEN code IS NOT NULL AND jsonb_typeof(params) = 'object' AND content IS NULL
      ELSE code IS NULL AND params IS NULL
    END
  )
) PARTITION BY RANGE (created_at);

-- What the files of pictures are; they lie outside the database (db/files.ts). Room and sender are the message's.
CREATE TABLE rooms.images (
  -- Random: the file's name, and part of its address.
  id uuid PRIMARY KEY,
  message_id bigint NOT NULL UNIQUE,
  mime text NOT NULL CHECK (mime IN ('image/webp', 'image/jpeg')),
  bytes integer NOT NULL CHECK (bytes > 0),
  -- Of the large file, for evidence.
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  -- Of the picture as it was sent, before Midman redrew it: a retry is recognised by it.
  sent_sha256 text NOT NULL CHECK (sent_sha256 ~ '^[0-9a-f]{64}$'),
  -- The message's moment, without which no foreign key can refer to a partitioned table.
  message_at timestamptz NOT NULL,
  CONSTRAINT images_message_fkey FOREIGN KEY (message_id, message_at) REFERENCES rooms.messages (id, created_at)
    ON DELETE CASCADE
);

-- How far the search for unread messages has come, and who was notified of which.
CREATE TABLE rooms.unread_searched (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  message_id bigint NOT NULL
);
INSERT INTO rooms.unread_searched (message_id) VALUES (0);

CREATE TABLE rooms.unread_told (
  room_id bigint NOT NULL,
  user_id bigint NOT NULL,
  seq bigint NOT NULL,
  told_at timestamptz NOT NULL,
  PRIMARY KEY (room_id, user_id),
  FOREIGN KEY (room_id, user_id) REFERENCES rooms.members ON DELETE CASCADE
);

-- A message occurs once in its room, by its `seq` and by its sender's id for it. Unique indexes ensure it within a partition, this trigger
-- across partitions. A room that began in the quarter of its message has no messages elsewhere; for an older one the trigger holds the
-- counter while it looks through the others, as code that sends holds it already. No message is more than a day older than its room, or
-- younger than its counter's active_at, so that reading may leave out partitions before and after (clocks differ a little; a day is more
-- than they may).
CREATE FUNCTION rooms.message_stands_once() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  since timestamptz;
  till timestamptz;
BEGIN
  SELECT r.created_at - interval '1 day', c.active_at + interval '1 day' INTO since, till
    FROM rooms.counters c JOIN rooms.rooms r ON r.id = c.room_id WHERE c.room_id = NEW.room_id;
  IF NEW.created_at < since THEN
    RAISE EXCEPTION 'message % of room % is older than the room', NEW.seq, NEW.room_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'messages_since_room';
  END IF;
  IF NEW.created_at > till THEN UPDATE rooms.counters SET active_at = NEW.created_at WHERE room_id = NEW.room_id; END IF;
  IF since >= base.quarter_of(NEW.created_at) AND now() < base.quarter_after(NEW.created_at) THEN RETURN NEW; END IF;
  PERFORM FROM rooms.counters WHERE room_id = NEW.room_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM rooms.messages m WHERE m.room_id = NEW.room_id AND m.created_at >= since AND m.seq = NEW.seq) THEN
    RAISE EXCEPTION 'room % has a message % already', NEW.room_id, NEW.seq
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'messages_room_seq_key';
  END IF;
  IF EXISTS (SELECT FROM rooms.messages m
    WHERE m.room_id = NEW.room_id AND m.created_at >= since AND m.client_id = NEW.client_id)
  THEN
    RAISE EXCEPTION 'room % has a message of client id % already', NEW.room_id, NEW.client_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'messages_room_client_key';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER stands_once BEFORE INSERT ON rooms.messages
  FOR EACH ROW EXECUTE FUNCTION rooms.message_stands_once();

-- Messages are in the log's chain: each has its digest in an entry, written in the transaction that writes the message.

CREATE FUNCTION rooms.message_fields(m rooms.messages) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY['midman-message-1', encode(m.salt, 'hex'), m.room_id::text, m.seq::text, m.id::text, m.sender_id::text, m.client_id::text,
    m.type, m.content, m.code, m.params::text, m.image_url, m.image_width::text, m.image_height::text, base.moment_text(m.created_at)]
$$;
CREATE FUNCTION rooms.message_digest(m rooms.messages) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT base.digest_of(rooms.message_fields(m)) $$;
CREATE FUNCTION rooms.picture_fields(salt bytea, i rooms.images) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY['midman-picture-1', encode(salt, 'hex'), i.id::text, i.mime, i.bytes::text, i.sha256, i.sent_sha256]
$$;

-- A message that is sent with a salt has its digest in the sender's own entry. Every other, such as a notice, gets salt and entry here.
CREATE FUNCTION rooms.message_digested() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  m rooms.messages;
BEGIN
  NEW.salt := uuid_send(gen_random_uuid());
  m := NEW;
  INSERT INTO audit.entries (at, action, room_id, subject_kind, subject_id, data) VALUES (
    NEW.created_at, 'message_digested', NEW.room_id, 'message', NEW.id,
    jsonb_build_object('seq', NEW.seq, 'digest', rooms.message_digest(m)));
  RETURN NEW;
END $$;
CREATE TRIGGER digested BEFORE INSERT ON rooms.messages
  FOR EACH ROW WHEN (NEW.salt IS NULL) EXECUTE FUNCTION rooms.message_digested();

-- Puts messages without a digest into the log, at most 500 an entry, and answers how many it found: a database that was carried over from
-- before 1.0 may have some. Runs as the owner, because the application's role gives no message a salt.
CREATE FUNCTION rooms.digest_earlier(first_room bigint, last_room bigint, recorded timestamptz) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH salted AS (
    UPDATE rooms.messages m SET salt = uuid_send(gen_random_uuid())
    WHERE m.room_id BETWEEN first_room AND last_room AND m.salt IS NULL
    RETURNING m.room_id, m.seq, rooms.message_digest(m) AS digest,
      (SELECT base.digest_of(rooms.picture_fields(m.salt, i)) FROM rooms.images i WHERE i.message_id = m.id) AS picture
  ), parts AS (
    SELECT *, (row_number() OVER (PARTITION BY room_id ORDER BY seq) - 1) / 500 AS part FROM salted
  ), recorded AS (
    INSERT INTO audit.entries (at, action, room_id, data)
    SELECT recorded, 'messages_digested', room_id, jsonb_build_object('digests', jsonb_object_agg(seq, digest),
      'pictures', coalesce(jsonb_object_agg(seq, picture) FILTER (WHERE picture IS NOT NULL), '{}'))
    FROM parts GROUP BY room_id, part
  )
  SELECT count(*) FROM salted
$$;
REVOKE ALL ON FUNCTION rooms.digest_earlier(bigint, bigint, timestamptz) FROM PUBLIC;

-- The unique keys of each partition, which its parent cannot have without the moment.
CREATE TABLE rooms.messages_earlier PARTITION OF rooms.messages (UNIQUE (room_id, seq), UNIQUE (room_id, client_id))
  FOR VALUES FROM (MINVALUE) TO (base.quarter_of(now()));
SELECT base.like_partition('rooms.messages_earlier', 'messages_rest');
ALTER TABLE rooms.messages ATTACH PARTITION rooms.messages_rest DEFAULT;
SELECT base.keep_partitions('rooms.messages', interval '1 year');
