-- A message of type `image` may carry a PDF instead of a picture. It is stored as it was sent, once it is known to show pages only; its
-- address in the message also says its size, so that the message's digest covers both.
-- An older version survives it: it stores pictures only, which the wider list still allows, and shows the text of a message with a PDF.
ALTER TABLE rooms.images DROP CONSTRAINT images_mime_check;
ALTER TABLE rooms.images ADD CONSTRAINT images_mime_check CHECK (mime IN ('image/webp', 'image/jpeg', 'application/pdf'));
