-- An administrator who claims a transfer may note why. Like the reasons, the note is free text: it is erased with the account, and neither the
-- digest of the record nor the audit log contains it.
ALTER TABLE payments.payouts ADD COLUMN claim_note text CHECK (char_length(claim_note) BETWEEN 1 AND 500);

-- A note belongs to its claim: it goes when the claim ends or another administrator takes it over, also if an older version of Midman writes
-- that.
CREATE FUNCTION payments.claim_note_ends() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.claim_note := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER claim_note_ends BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (NEW.claimed_by IS DISTINCT FROM OLD.claimed_by AND (NEW.claimed_by IS NULL OR NEW.claim_note IS NOT DISTINCT FROM OLD.claim_note))
  EXECUTE FUNCTION payments.claim_note_ends();

-- Form of 0005_payments.sql, with the note.
CREATE OR REPLACE FUNCTION payments.payout_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  goes constant text[] := '{destination,reason,named_reason,claim_note,salt,account_digest,erased_at}';
  before payments.payouts := OLD;
BEGIN
  NEW.reason := NULL;
  NEW.named_reason := NULL;
  NEW.claim_note := NULL;
  NEW.salt := NULL;
  NEW.account_digest := coalesce(payments.account_digest(before), '');
  IF to_jsonb(NEW) - goes IS DISTINCT FROM to_jsonb(OLD) - goes THEN
    RAISE EXCEPTION '% % keeps what was decided', NEW.kind, NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_frozen';
  END IF;
  RETURN NEW;
END $$;
