-- A completion without a recorded hand-over, and information that was changed after it was confirmed.
-- An older version survives it: it writes neither column, and both checks hold for what is null.

-- When the buyer confirmed although no hand-over was recorded: they say that they received the goods another way.
ALTER TABLE escrow.trades
  ADD COLUMN received_otherwise_at timestamptz,
  ADD CONSTRAINT trades_received_otherwise CHECK (received_otherwise_at IS NULL OR buyer_completed_at IS NOT NULL);

-- Which version of the other side's information was confirmed; null where an earlier Midman recorded the confirmation.
ALTER TABLE escrow.information
  ADD COLUMN confirmed_version integer CHECK (confirmed_version >= 1),
  ADD CONSTRAINT information_confirmed_version CHECK (confirmed_version IS NULL OR confirmed_at IS NOT NULL);

-- What happened stays happened: a side confirms again only what has changed since.
CREATE OR REPLACE FUNCTION escrow.keep_information() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.trade_id <> OLD.trade_id OR NEW.side <> OLD.side
     OR (OLD.given_at IS NOT NULL AND NEW.given_at IS DISTINCT FROM OLD.given_at)
     OR (OLD.corrected_at IS NOT NULL AND NEW.corrected_at IS DISTINCT FROM OLD.corrected_at)
     OR (OLD.shared_at IS NOT NULL AND NEW.shared_at IS NULL)
     OR (OLD.confirmed_at IS NOT NULL AND NEW.confirmed_at IS NULL)
     OR coalesce(NEW.confirmed_version, 0) < coalesce(OLD.confirmed_version, 0)
     OR (OLD.confirmed_at IS NOT NULL AND NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at
         AND coalesce(NEW.confirmed_version, 0) <= coalesce(OLD.confirmed_version, 0)) THEN
    RAISE EXCEPTION 'escrow.information: what a side has done is not undone';
  END IF;
  RETURN NEW;
END $$;
