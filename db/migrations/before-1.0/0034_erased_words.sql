-- With a trade goes also what administrators wrote of its payouts and refunds. A record that is over and erased has no reason.
CREATE OR REPLACE FUNCTION payments.payout_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- An older version that runs beside leaves the reason where it is.
  NEW.reason := NULL;
  IF to_jsonb(NEW) - '{destination,reason,erased_at}'::text[] IS DISTINCT FROM to_jsonb(OLD) - '{destination,reason,erased_at}'::text[] THEN
    RAISE EXCEPTION '% % keeps what was decided', NEW.kind, NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_frozen';
  END IF;
  RETURN NEW;
END $$;

ALTER TABLE payments.payouts DROP CONSTRAINT payouts_voiding, DROP CONSTRAINT payouts_erased;
ALTER TABLE payments.payouts DISABLE TRIGGER payout_changed;
UPDATE payments.payouts SET reason = NULL WHERE erased_at IS NOT NULL AND reason IS NOT NULL;
ALTER TABLE payments.payouts ENABLE TRIGGER payout_changed;
ALTER TABLE payments.payouts
  ADD CONSTRAINT payouts_voiding CHECK (
    (state = 'void') = (voided_at IS NOT NULL) AND (state <> 'void' OR reason IS NOT NULL OR erased_at IS NOT NULL)
  ),
  ADD CONSTRAINT payouts_erased CHECK (
    erased_at IS NULL OR (destination IS NULL AND reason IS NULL AND state IN ('sent', 'done', 'void'))
  );

UPDATE escrow.hand_confirmations c SET aside_reason = NULL
  FROM escrow.trades t WHERE t.id = c.aside_of AND t.erased_at IS NOT NULL AND c.aside_reason IS NOT NULL;
