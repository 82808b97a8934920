-- Where a buyer cannot say where their refund goes, an administrator may: who, when and why. Another one approves it.
ALTER TABLE payments.payouts
  ADD COLUMN named_by bigint,
  ADD COLUMN named_at timestamptz,
  ADD COLUMN named_reason text CHECK (char_length(named_reason) BETWEEN 1 AND 2000),
  ADD CONSTRAINT payouts_named CHECK (
    (named_by IS NULL) = (named_at IS NULL)
    AND (named_reason IS NOT NULL) = (named_by IS NOT NULL AND erased_at IS NULL)
    AND (named_by IS NULL OR kind = 'refund' AND (destination IS NOT NULL OR erased_at IS NOT NULL))
  ),
  ADD CONSTRAINT payouts_named_approval CHECK (named_by <> approved_by);

-- As the account itself, who named it stays from the approval on.
CREATE TRIGGER payout_named BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (OLD.state <> 'due' AND (
    (NEW.named_by, NEW.named_at) IS DISTINCT FROM (OLD.named_by, OLD.named_at)
    OR NEW.erased_at IS NULL AND NEW.named_reason IS DISTINCT FROM OLD.named_reason
  ))
  EXECUTE FUNCTION payments.refuse_change();

-- Why it was named goes with the trade, as what else administrators wrote of it.
CREATE OR REPLACE FUNCTION payments.payout_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  goes constant text[] := '{destination,reason,named_reason,erased_at}';
BEGIN
  -- An older version that runs beside leaves the reasons where they are.
  NEW.reason := NULL;
  NEW.named_reason := NULL;
  IF to_jsonb(NEW) - goes IS DISTINCT FROM to_jsonb(OLD) - goes THEN
    RAISE EXCEPTION '% % keeps what was decided', NEW.kind, NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_frozen';
  END IF;
  RETURN NEW;
END $$;
