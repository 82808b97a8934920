-- An older version survives it: it leaves the new columns null, and triggers mark what it corrects or takes back.
-- An account that its owner replaced, the first of the two approvals that it takes, and what an administrator says who had already
-- made a transfer that another took over.
ALTER TABLE payments.payouts
  ADD COLUMN corrected_at timestamptz,
  ADD COLUMN first_approved_by bigint,
  ADD COLUMN first_approved_at timestamptz,
  ADD COLUMN reported_by bigint,
  ADD COLUMN reported_at timestamptz,
  ADD COLUMN reported_reference text CHECK (char_length(reported_reference) BETWEEN 1 AND 200),
  ADD CONSTRAINT payouts_first_approval CHECK (
    (first_approved_by IS NULL) = (first_approved_at IS NULL)
    AND (first_approved_by IS NULL OR corrected_at IS NOT NULL)
    AND first_approved_by <> approved_by
  ),
  ADD CONSTRAINT payouts_report CHECK (num_nulls(reported_by, reported_at, reported_reference) IN (0, 3));

-- An older version that runs beside corrects an account without saying so, and takes an approval back without its first half.
CREATE FUNCTION payments.payout_corrected() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'due' AND OLD.destination IS NOT NULL AND NEW.destination IS DISTINCT FROM OLD.destination THEN
    NEW.first_approved_by := NULL;
    NEW.first_approved_at := NULL;
    IF NEW.erased_at IS NULL AND NEW.corrected_at IS NOT DISTINCT FROM OLD.corrected_at
      AND (OLD.kind = 'payout' OR OLD.replaces IS NOT NULL) THEN
      NEW.corrected_at := now();
    END IF;
  ELSIF OLD.state = 'approved' AND NEW.state = 'due' THEN
    NEW.first_approved_by := NULL;
    NEW.first_approved_at := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payout_corrected BEFORE UPDATE OF state, destination ON payments.payouts
  FOR EACH ROW EXECUTE FUNCTION payments.payout_corrected();

-- As the account itself, that it was corrected and who approved it first stay from the approval on.
CREATE TRIGGER payout_first_approval BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (OLD.state <> 'due' AND NEW.state <> 'due' AND
    (NEW.corrected_at, NEW.first_approved_by, NEW.first_approved_at)
      IS DISTINCT FROM (OLD.corrected_at, OLD.first_approved_by, OLD.first_approved_at))
  EXECUTE FUNCTION payments.refuse_change();

-- From which device an account was given, for whoever approves a payout to it.
ALTER TABLE escrow.details ADD COLUMN given_device text;

-- An administrator proposes that money goes out again, and another confirms it. Any turn of the switch ends the proposal.
ALTER TABLE payments.halt
  ADD COLUMN resume_by bigint,
  ADD COLUMN resume_at timestamptz,
  ADD COLUMN resume_reason text,
  ADD CONSTRAINT halt_resume CHECK ((resume_by IS NULL) = (resume_at IS NULL) AND (resume_by IS NULL OR halted));
CREATE FUNCTION payments.halt_turned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.resume_by := NULL;
  NEW.resume_at := NULL;
  NEW.resume_reason := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER halt_turned BEFORE UPDATE ON payments.halt FOR EACH ROW
  WHEN ((NEW.halted, NEW.changed_at) IS DISTINCT FROM (OLD.halted, OLD.changed_at))
  EXECUTE FUNCTION payments.halt_turned();

-- A ruling above the limit of four eyes: proposed by the mediator, confirmed by another administrator. Its reason is erased with its
-- trade.
CREATE TABLE escrow.ruling_proposals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trade_id bigint NOT NULL REFERENCES escrow.trades (id),
  dispute_id bigint NOT NULL REFERENCES escrow.disputes (id),
  ruling text NOT NULL CHECK (ruling IN ('release', 'refund', 'split')),
  refund_amount bigint CHECK (refund_amount > 0),
  sum bigint NOT NULL CHECK (sum >= 0),
  reason text CHECK (char_length(reason) BETWEEN 1 AND 2000),
  warnings text[] NOT NULL DEFAULT '{}',
  proposed_by bigint NOT NULL,
  proposed_at timestamptz NOT NULL,
  confirmed_by bigint,
  confirmed_at timestamptz,
  withdrawn_by bigint,
  withdrawn_at timestamptz,
  CONSTRAINT ruling_proposals_split CHECK ((ruling = 'split') = (refund_amount IS NOT NULL)),
  CONSTRAINT ruling_proposals_end CHECK (
    (confirmed_by IS NULL) = (confirmed_at IS NULL)
    AND (withdrawn_by IS NULL) = (withdrawn_at IS NULL)
    AND (confirmed_at IS NULL OR withdrawn_at IS NULL)
    AND confirmed_by <> proposed_by
  )
);
CREATE UNIQUE INDEX ruling_proposals_open ON escrow.ruling_proposals (dispute_id)
  WHERE confirmed_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX ruling_proposals_trade ON escrow.ruling_proposals (trade_id);

-- What was proposed stays as it was, and an end is for good; the reason alone may be erased.
CREATE FUNCTION escrow.keep_ruling_proposed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ends constant text[] := '{confirmed_by,confirmed_at,withdrawn_by,withdrawn_at}';
BEGIN
  IF TG_OP = 'UPDATE' AND (
    num_nonnulls(OLD.confirmed_at, OLD.withdrawn_at) = 0 AND to_jsonb(NEW) - ends = to_jsonb(OLD) - ends
    OR NEW.reason IS NULL AND to_jsonb(NEW) - 'reason' = to_jsonb(OLD) - 'reason'
  ) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'proposed ruling % keeps what was decided', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER keep_ruling_proposed BEFORE UPDATE OR DELETE ON escrow.ruling_proposals
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_ruling_proposed();
