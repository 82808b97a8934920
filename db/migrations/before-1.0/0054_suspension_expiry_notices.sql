-- When the other parties of a person's open trades were notified that a suspension had run out, so that they are notified once.
-- An older version survives it: it neither reads nor writes the column. The index is made at once, on a table of a few decisions a day.
ALTER TABLE identity.restrictions ADD COLUMN expiry_notified_at timestamptz;
CREATE INDEX restrictions_expiry_unnotified ON identity.restrictions (until)
  WHERE kind = 'suspend' AND ended_at IS NULL AND confirmed_at IS NULL AND expiry_notified_at IS NULL;
