-- Pictures: a member's message of its own kind. Its files lie outside the database (db/files.ts) under the picture's id.
ALTER TABLE rooms.messages
  -- The large picture's size in pixels, so that whoever lays the page out keeps its place free.
  ADD COLUMN image_width integer CHECK (image_width > 0),
  ADD COLUMN image_height integer CHECK (image_height > 0),
  ADD CONSTRAINT messages_image_size CHECK (
    (image_width IS NOT NULL) = (type = 'image') AND (image_height IS NOT NULL) = (type = 'image')
  );

-- What the files are. Room, sender and time are the message's.
CREATE TABLE rooms.images (
  -- Random: the file's name, and part of its address.
  id uuid PRIMARY KEY,
  message_id bigint NOT NULL UNIQUE REFERENCES rooms.messages (id) ON DELETE CASCADE,
  mime text NOT NULL CHECK (mime = 'image/jpeg'),
  bytes integer NOT NULL CHECK (bytes > 0),
  -- Of the large file, for evidence.
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  -- Of what was sent, before it was drawn anew: a retry is known by it.
  sent_sha256 text NOT NULL CHECK (sent_sha256 ~ '^[0-9a-f]{64}$')
);
