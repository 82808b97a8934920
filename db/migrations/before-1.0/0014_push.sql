-- Telling people who are away: the devices that want to be told, what they are told, and how loudly.

-- One row a browser. Its session says whose it is: signing that browser out takes the row away.
CREATE TABLE mailer.push_subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL,
  session_id bigint NOT NULL,
  -- An address at the browser maker's push service: whoever has it and our key can reach this browser, nobody else.
  endpoint text NOT NULL UNIQUE CHECK (endpoint ~ '^https?://' AND char_length(endpoint) <= 1000),
  p256dh text NOT NULL CHECK (char_length(p256dh) = 87),
  auth text NOT NULL CHECK (char_length(auth) = 22),
  device text NOT NULL CHECK (char_length(device) <= 200),
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0)
);
CREATE INDEX push_subscriptions_of_user ON mailer.push_subscriptions (user_id, id);

-- The outbox: one row for a person and an event, written in the transaction that has reason to tell it.
CREATE TABLE mailer.pushes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text UNIQUE CHECK (key <> ''),
  user_id bigint NOT NULL,
  event text NOT NULL,
  params jsonb NOT NULL CHECK (jsonb_typeof(params) = 'object'),
  url text NOT NULL CHECK (url LIKE '/%'),
  -- The mail that goes if no device takes it.
  otherwise jsonb,
  -- The devices that are still to be tried again; null before the first try.
  waiting bigint[],
  taken boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- Nothing of what was told outlives the telling.
  CHECK (ended_at IS NULL OR (params = '{}' AND otherwise IS NULL))
);
CREATE INDEX pushes_ended ON mailer.pushes (ended_at) WHERE ended_at IS NOT NULL;

-- The key we are known by to the push services. Here, and not beside the other secrets, for every instance needs the same one
-- and the devices above are bound to it: they are kept, backed up and restored together. The private half is sealed.
CREATE TABLE mailer.vapid_keys (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  public_key text NOT NULL CHECK (char_length(public_key) = 87),
  private_key bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- What of a conversation is told, and the hours (minutes of the day in Mongolia) in which only money is loud.
ALTER TABLE identity.users
  ADD COLUMN push_messages boolean NOT NULL DEFAULT true,
  ADD COLUMN mail_messages boolean NOT NULL DEFAULT true,
  ADD COLUMN quiet_from smallint CHECK (quiet_from BETWEEN 0 AND 1439),
  ADD COLUMN quiet_to smallint CHECK (quiet_to BETWEEN 0 AND 1439),
  ADD CONSTRAINT users_quiet CHECK (
    (quiet_from IS NULL) = (quiet_to IS NULL) AND (quiet_from IS NULL OR quiet_from <> quiet_to)
  );

-- How far the search for unread messages has come, and what of them was told to whom.
CREATE TABLE rooms.unread_searched (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  message_id bigint NOT NULL
);
INSERT INTO rooms.unread_searched (message_id) SELECT coalesce(max(id), 0) FROM rooms.messages;

CREATE TABLE rooms.unread_told (
  room_id bigint NOT NULL,
  user_id bigint NOT NULL,
  seq bigint NOT NULL,
  told_at timestamptz NOT NULL,
  PRIMARY KEY (room_id, user_id),
  FOREIGN KEY (room_id, user_id) REFERENCES rooms.members ON DELETE CASCADE
);
