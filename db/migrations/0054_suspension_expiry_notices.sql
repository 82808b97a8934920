-- When the other parties of a person's open trades were notified that a suspension had run out, so that they are notified once.
-- Compatible with the previous version: it neither reads nor writes the column, and notifies nobody.
ALTER TABLE identity.restrictions ADD COLUMN expiry_notified_at timestamptz;
CREATE INDEX restrictions_expiry_unnotified ON identity.restrictions (until)
  WHERE kind = 'suspend' AND ended_at IS NULL AND confirmed_at IS NULL AND expiry_notified_at IS NULL;
