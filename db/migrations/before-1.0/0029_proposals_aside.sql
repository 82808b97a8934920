-- A payment proposed by hand may be laid aside, with a reason, or be replaced by its proposer's correction (no reason). Neither
-- waits for anybody any more, and the transfer may be entered again, be it at the right trade. Its trade is then named by
-- `aside_of` alone: an older version that runs beside looks for the one proposal of a `trade_id` that is not confirmed.
ALTER TABLE escrow.hand_confirmations
  ALTER COLUMN trade_id DROP NOT NULL,
  ADD COLUMN aside_of bigint REFERENCES escrow.trades,
  ADD COLUMN laid_aside_by bigint,
  ADD COLUMN laid_aside_at timestamptz,
  ADD COLUMN aside_reason text CHECK (char_length(aside_reason) BETWEEN 1 AND 2000),
  ADD CONSTRAINT hand_confirmations_aside CHECK (
    num_nulls(laid_aside_by, laid_aside_at, aside_of) = CASE WHEN trade_id IS NULL THEN 0 ELSE 3 END
    AND (trade_id IS NOT NULL OR confirmed_at IS NULL)
    AND (trade_id IS NULL OR aside_reason IS NULL)
  );
DROP INDEX escrow.hand_confirmations_reference, escrow.hand_confirmations_open, escrow.hand_confirmations_waiting;
CREATE UNIQUE INDEX hand_confirmations_reference ON escrow.hand_confirmations (bank_reference) WHERE laid_aside_at IS NULL;
CREATE UNIQUE INDEX hand_confirmations_open ON escrow.hand_confirmations (trade_id)
  WHERE confirmed_at IS NULL AND laid_aside_at IS NULL;
CREATE INDEX hand_confirmations_waiting ON escrow.hand_confirmations (proposed_at, id)
  WHERE confirmed_at IS NULL AND laid_aside_at IS NULL;
CREATE INDEX hand_confirmations_aside_of ON escrow.hand_confirmations (aside_of, id DESC) WHERE aside_reason IS NOT NULL;

-- The log names a proposal by its id and not by its figures, which the second administrator must not read before they enter their own:
-- so what was entered stays as it was. While it is open an older version that runs beside corrects it in its place.
CREATE FUNCTION escrow.keep_proposed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE'
    AND (coalesce(NEW.trade_id, NEW.aside_of), NEW.proposed_by) = (coalesce(OLD.trade_id, OLD.aside_of), OLD.proposed_by)
    AND ((NEW.amount, NEW.bank_reference, NEW.proposed_at) = (OLD.amount, OLD.bank_reference, OLD.proposed_at)
      OR num_nonnulls(OLD.confirmed_at, OLD.laid_aside_at, NEW.confirmed_at, NEW.laid_aside_at) = 0)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'proposal % keeps what was entered', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER keep_proposed BEFORE UPDATE OR DELETE ON escrow.hand_confirmations
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_proposed();
