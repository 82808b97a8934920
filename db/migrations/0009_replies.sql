-- A member's message may reply to an earlier one of its room: the number (`seq`) of that message. It is part of the message's digest, and
-- goes with the message.
ALTER TABLE rooms.messages ADD COLUMN reply_to bigint;
-- Not validated: no row has a value yet, and the check would read every message while nobody may write.
ALTER TABLE rooms.messages ADD CONSTRAINT messages_reply
  CHECK (reply_to IS NULL OR (reply_to > 0 AND reply_to < seq AND sender_id IS NOT NULL)) NOT VALID;

-- Form of 0004_rooms.sql, with the reply at the end. A message that replies to none has the same fields, and so the same digest, as before.
CREATE OR REPLACE FUNCTION rooms.message_fields(m rooms.messages) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY['midman-message-1', encode(m.salt, 'hex'), m.room_id::text, m.seq::text, m.id::text, m.sender_id::text, m.client_id::text,
    m.type, m.content, m.code, m.params::text, m.image_url, m.image_width::text, m.image_height::text, base.moment_text(m.created_at)]
    || CASE WHEN m.reply_to IS NULL THEN ARRAY[]::text[] ELSE ARRAY['reply', m.reply_to::text] END
$$;
