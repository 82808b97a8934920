-- A trade's hold: every open reason for which no ending and no outgoing step of it takes effect.
-- An older version survives it: it books with ON CONFLICT DO NOTHING, so that a second form of a known payment's id is no error, its odd rows
-- become holds by trigger, and the causes of differences that it knows stay allowed.

-- The provider sends one payment's id as text with leading zeros, as a number, or as a UUID in either case: one key for all of them.
CREATE FUNCTION payments.payment_key(id text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog AS $$
  SELECT CASE
    WHEN id ~ '^[0-9]+$' THEN coalesce(nullif(ltrim(id, '0'), ''), '0')
    WHEN id ~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$' THEN lower(replace(id, '-', ''))
    ELSE id
  END
$$;

CREATE TABLE payments.holds (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reference        bigint NOT NULL CHECK (reference > 0),
  reason           text NOT NULL CHECK (reason IN (
                     'WRONG_CURRENCY', 'FRACTIONAL_AMOUNT', 'ODD_ROW', 'UNKNOWN_STATUS', 'PAYMENT_REVERSED', 'FOREIGN_INVOICE',
                     'IMPLAUSIBLE_AMOUNT', 'PAYMENT_DIFFERS', 'SUM_CONTRADICTS', 'PAID_UNLISTED', 'PAYMENT_ANNOUNCED',
                     'CHECK_UNANSWERED', 'SECOND_PAYMENT', 'DIFFERENCE', 'TRANSFER_IN_DOUBT', 'FRAUD_REPORT')),
  -- What it is about: `payment:<key>`, `invoice:<id>`, `payout:<id>`, `difference:<name>`, `report:<user>:<digest>`.
  subject          text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 200),
  -- What is told apart of one subject: a person's word about a payment of one sum says nothing of another sum.
  figures          text NOT NULL DEFAULT '',
  facts            jsonb NOT NULL,
  opened_at        timestamptz NOT NULL,
  opened_by        bigint,
  -- When the administrators were told.
  told_at          timestamptz,
  -- A resolution that waits for a second administrator.
  proposed_outcome text CHECK (proposed_outcome IN ('dismissed', 'booked', 'taken_back', 'same_payment')),
  proposed_by      bigint,
  proposed_at      timestamptz,
  proposed_note    text,
  closed_at        timestamptz,
  outcome          text CHECK (outcome IN ('cleared', 'dismissed', 'booked', 'taken_back', 'same_payment')),
  closed_by        bigint,
  note             text,
  CONSTRAINT holds_proposal CHECK (num_nulls(proposed_outcome, proposed_by, proposed_at, proposed_note) IN (0, 4)),
  CONSTRAINT holds_closed CHECK ((closed_at IS NULL) = (outcome IS NULL)),
  -- The provider clears without a word; a person says why.
  CONSTRAINT holds_resolved CHECK (
    (closed_by IS NOT NULL) = (outcome IS NOT NULL AND outcome <> 'cleared') AND (closed_by IS NULL) = (note IS NULL)
  ),
  CONSTRAINT holds_two_people CHECK (closed_by <> proposed_by OR outcome = 'cleared')
);
CREATE UNIQUE INDEX holds_open ON payments.holds (reference, reason, subject) WHERE closed_at IS NULL;
CREATE INDEX holds_waiting ON payments.holds (opened_at, id) WHERE closed_at IS NULL;
CREATE INDEX holds_by_reference ON payments.holds (reference, id);

-- What a hold says of its cause never changes, and a closed one stays closed; personal facts and notes are erased at the end of retention.
CREATE FUNCTION payments.keep_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'payments.holds: a hold is never deleted' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (NEW.id, NEW.reference, NEW.reason, NEW.subject, NEW.opened_at) IS DISTINCT FROM
     (OLD.id, OLD.reference, OLD.reason, OLD.subject, OLD.opened_at)
     OR (OLD.closed_at IS NOT NULL AND (NEW.closed_at, NEW.outcome, NEW.closed_by) IS DISTINCT FROM
        (OLD.closed_at, OLD.outcome, OLD.closed_by)) THEN
    RAISE EXCEPTION 'payments.holds: what a hold was for, and how it ended, never change'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER holds_keep BEFORE UPDATE OR DELETE ON payments.holds
  FOR EACH ROW EXECUTE FUNCTION payments.keep_hold();

-- What the provider reported before holds had a table. An older version that runs beside this one still writes there.
INSERT INTO payments.holds (reference, reason, subject, facts, opened_at, told_at, closed_at, outcome, closed_by, note)
SELECT i.reference, p.code, left('payment:' || payments.payment_key(p.provider_payment_id), 200),
  jsonb_build_object('providerPaymentId', p.provider_payment_id, 'invoiceId', p.invoice_id, 'row', p.row),
  p.seen_at, p.seen_at, p.resolved_at, CASE WHEN p.resolved_at IS NOT NULL THEN 'dismissed' END, p.resolved_by, p.note
FROM payments.provider_problems p JOIN payments.invoices i ON i.id = p.invoice_id
WHERE p.code IN ('WRONG_CURRENCY', 'FRACTIONAL_AMOUNT', 'ODD_ROW', 'UNKNOWN_STATUS', 'PAYMENT_REVERSED')
ON CONFLICT DO NOTHING;

CREATE FUNCTION payments.hold_for_problem() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO payments.holds (reference, reason, subject, facts, opened_at)
    SELECT i.reference, NEW.code, left('payment:' || payments.payment_key(NEW.provider_payment_id), 200),
      jsonb_build_object('providerPaymentId', NEW.provider_payment_id, 'invoiceId', NEW.invoice_id, 'row', NEW.row), NEW.seen_at
    FROM payments.invoices i WHERE i.id = NEW.invoice_id
    ON CONFLICT DO NOTHING;
  ELSIF OLD.resolved_at IS NULL AND NEW.resolved_at IS NOT NULL THEN
    UPDATE payments.holds h SET closed_at = NEW.resolved_at, outcome = 'dismissed', closed_by = NEW.resolved_by, note = NEW.note
    FROM payments.invoices i
    WHERE i.id = NEW.invoice_id AND h.reference = i.reference AND h.reason = NEW.code AND h.closed_at IS NULL
      AND h.subject = left('payment:' || payments.payment_key(NEW.provider_payment_id), 200);
  END IF;
  RETURN NULL;
END;
$$;
CREATE TRIGGER problems_hold AFTER INSERT OR UPDATE ON payments.provider_problems
  FOR EACH ROW EXECUTE FUNCTION payments.hold_for_problem();

-- Transfers that are in doubt now.
INSERT INTO payments.holds (reference, reason, subject, facts, opened_at, opened_by, told_at)
SELECT reference, 'TRANSFER_IN_DOUBT', 'payout:' || id, jsonb_build_object('payoutId', id), unknown_at, unknown_by, unknown_at
FROM payments.payouts WHERE state = 'unknown'
ON CONFLICT DO NOTHING;

-- Booked payments: their id by key, when a manual confirmation was proposed, the manual confirmation that a second booking was found to
-- be the same money as, and whether the provider took the money back.
ALTER TABLE payments.payments
  ADD COLUMN provider_payment_key text GENERATED ALWAYS AS (payments.payment_key(provider_payment_id)) STORED,
  ADD COLUMN proposed_at timestamptz,
  ADD COLUMN same_as bigint REFERENCES payments.payments (id),
  ADD COLUMN taken_back_at timestamptz;
DO $$
DECLARE last bigint;
BEGIN
  -- Older versions could book one payment under two forms of its id; such rows stay as they are, and no further one comes.
  SELECT max(id) INTO last FROM payments.payments
  WHERE provider_payment_key IN (
    SELECT provider_payment_key FROM payments.payments GROUP BY 1 HAVING count(*) > 1 AND provider_payment_key IS NOT NULL);
  EXECUTE 'CREATE UNIQUE INDEX payments_provider_key ON payments.payments (provider_payment_key)'
    || coalesce(' WHERE id > ' || last, '');
END;
$$;

-- A payment that stands under another trade's invoice is a cause of its own.
ALTER TABLE payments.reconciliation_tasks DROP CONSTRAINT reconciliation_tasks_cause_check;
ALTER TABLE payments.reconciliation_tasks ADD CONSTRAINT reconciliation_tasks_cause_check CHECK (cause IN (
  'missing_here', 'missing_there', 'by_hand', 'amount', 'status', 'refunded_there', 'uncountable', 'duplicate', 'other_invoice'));

-- Since when both sides read that their payment is being checked.
ALTER TABLE escrow.trades ADD COLUMN on_hold_since timestamptz;

-- A booked payment changes in three ways only, each once: a manual confirmation meets its PAID row; two administrators find it to be the
-- same money as a manual confirmation; two administrators record that the provider took it back.
CREATE OR REPLACE FUNCTION payments.payment_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed payments.payments := OLD;
BEGIN
  allowed.provider_payment_key := NEW.provider_payment_key; -- generated after this trigger
  IF OLD.provider_payment_id IS NULL AND NEW.matched_at IS NOT NULL THEN
    allowed.provider_payment_id := NEW.provider_payment_id;
    allowed.invoice_id := NEW.invoice_id;
    allowed.matched_at := NEW.matched_at;
    allowed.paid_at := NEW.paid_at;
    allowed.wallet := NEW.wallet;
    allowed.kind := NEW.kind;
    allowed.payer_bank := NEW.payer_bank;
  END IF;
  IF OLD.same_as IS NULL AND OLD.taken_back_at IS NULL THEN
    allowed.same_as := NEW.same_as;
    allowed.taken_back_at := NEW.taken_back_at;
  END IF;
  IF NEW IS DISTINCT FROM allowed OR num_nonnulls(NEW.same_as, NEW.taken_back_at) > 1 THEN
    RAISE EXCEPTION 'payment % is booked and does not change', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
