-- A payment proposed by hand may be laid aside, with a reason, or be replaced by its proposer's correction (no reason). Neither
-- waits for anybody any more, and the transfer may be entered again, be it at the right trade.
ALTER TABLE escrow.hand_confirmations
  ADD COLUMN laid_aside_by bigint,
  ADD COLUMN laid_aside_at timestamptz,
  ADD COLUMN aside_reason text CHECK (char_length(aside_reason) BETWEEN 1 AND 2000),
  ADD CONSTRAINT hand_confirmations_aside CHECK (
    (laid_aside_by IS NULL) = (laid_aside_at IS NULL)
    AND (laid_aside_at IS NULL OR confirmed_at IS NULL)
    AND (aside_reason IS NULL OR laid_aside_at IS NOT NULL)
  );
DROP INDEX escrow.hand_confirmations_reference, escrow.hand_confirmations_open, escrow.hand_confirmations_waiting;
CREATE UNIQUE INDEX hand_confirmations_reference ON escrow.hand_confirmations (bank_reference) WHERE laid_aside_at IS NULL;
CREATE UNIQUE INDEX hand_confirmations_open ON escrow.hand_confirmations (trade_id)
  WHERE confirmed_at IS NULL AND laid_aside_at IS NULL;
CREATE INDEX hand_confirmations_waiting ON escrow.hand_confirmations (proposed_at, id)
  WHERE confirmed_at IS NULL AND laid_aside_at IS NULL;
CREATE INDEX hand_confirmations_trade ON escrow.hand_confirmations (trade_id, id DESC);

-- The log names a proposal by its id and not by its figures, which the second administrator must not read before they enter their own:
-- so what was entered stays as it was.
CREATE FUNCTION escrow.keep_proposed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.trade_id, NEW.amount, NEW.bank_reference, NEW.proposed_by, NEW.proposed_at)
    IS NOT DISTINCT FROM (OLD.trade_id, OLD.amount, OLD.bank_reference, OLD.proposed_by, OLD.proposed_at)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'proposal % keeps what was entered', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER keep_proposed BEFORE UPDATE OR DELETE ON escrow.hand_confirmations
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_proposed();
