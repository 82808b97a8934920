-- Rooms: two seats, the invite, and the messages in one unbroken order.
CREATE SCHEMA IF NOT EXISTS rooms;

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

CREATE TABLE rooms.members (
  room_id bigint NOT NULL REFERENCES rooms.rooms (id) ON DELETE CASCADE,
  user_id bigint NOT NULL,
  role text NOT NULL CHECK (role IN ('buyer', 'seller')),
  joined_at timestamptz NOT NULL,
  -- The member sees messages above this one: what was said to somebody who left is not theirs to read.
  since_seq bigint NOT NULL DEFAULT 0 CHECK (since_seq >= 0),
  -- Left while a trade stands: the seat is kept, the room hidden from this member's list.
  hidden_at timestamptz,
  PRIMARY KEY (room_id, user_id),
  -- Checked at the end of a statement, so that one UPDATE may swap both seats.
  CONSTRAINT members_room_role_key UNIQUE (room_id, role) DEFERRABLE INITIALLY IMMEDIATE
);
CREATE INDEX members_user_idx ON rooms.members (user_id, room_id DESC);

CREATE TABLE rooms.invites (
  room_id bigint PRIMARY KEY REFERENCES rooms.rooms (id) ON DELETE CASCADE,
  code text NOT NULL UNIQUE CHECK (code ~ '^[A-Z2-7]{10}$'),
  created_by_id bigint NOT NULL,
  created_at timestamptz NOT NULL
);

-- The message counter: a row of its own, locked last of all.
-- The free space in each page lets every bump stay on its page (HOT).
CREATE TABLE rooms.counters (
  room_id bigint PRIMARY KEY REFERENCES rooms.rooms (id) ON DELETE CASCADE,
  last_seq bigint NOT NULL DEFAULT 0 CHECK (last_seq >= 0)
) WITH (fillfactor = 50);

-- Messages hang on the counter and not on the room: whoever inserts holds the counter already, so the foreign key
-- takes no lock on the room row, which a trade change holds while it waits for the counter.
CREATE TABLE rooms.messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
  CONSTRAINT messages_room_seq_key UNIQUE (room_id, seq),
  CONSTRAINT messages_room_client_key UNIQUE (room_id, client_id),
  -- A member can only ever send text and images; everything else is the server's, and has no sender.
  CONSTRAINT messages_voice CHECK ((sender_id IS NOT NULL) = (type IN ('text', 'image'))),
  CONSTRAINT messages_client CHECK ((client_id IS NOT NULL) = (sender_id IS NOT NULL)),
  CONSTRAINT messages_text CHECK (type <> 'text' OR (content IS NOT NULL AND btrim(content) <> '')),
  CONSTRAINT messages_image CHECK ((image_url IS NOT NULL) = (type = 'image')),
  CONSTRAINT messages_notice CHECK (
    CASE WHEN sender_id IS NULL
      THEN code IS NOT NULL AND jsonb_typeof(params) = 'object' AND content IS NULL
      ELSE code IS NULL AND params IS NULL
    END
  )
);
