-- Who is making the transfer of an approved payout or refund, and since when. An approval that is taken back takes it along.
ALTER TABLE payments.payouts
  ADD COLUMN claimed_by bigint,
  ADD COLUMN claimed_at timestamptz,
  ADD CONSTRAINT payouts_claim CHECK ((claimed_by IS NULL) = (claimed_at IS NULL) AND (state <> 'due' OR claimed_by IS NULL));
UPDATE payments.payouts SET claimed_by = approved_by, claimed_at = approved_at WHERE state = 'approved' AND NOT four_eyes;

-- An older version that runs beside approves without a claim and takes an approval back without ending it.
CREATE FUNCTION payments.payout_claimed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'due' AND NEW.state = 'approved' AND NEW.claimed_by IS NULL AND NOT NEW.four_eyes THEN
    NEW.claimed_by := NEW.approved_by;
    NEW.claimed_at := NEW.approved_at;
  ELSIF OLD.state = 'approved' AND NEW.state = 'due' THEN
    NEW.claimed_by := NULL;
    NEW.claimed_at := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payout_claimed BEFORE UPDATE OF state ON payments.payouts
  FOR EACH ROW EXECUTE FUNCTION payments.payout_claimed();
