-- Money: what was paid in, the double-entry ledger, and what is paid out. Whole tugrik everywhere.
-- An entry's amount is signed: a debit is positive, a credit negative.
CREATE SCHEMA IF NOT EXISTS payments;

-- Each PAID row of the provider, or a confirmation by hand, once. The split between escrow and suspense is decided at booking.
CREATE TABLE payments.payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reference bigint NOT NULL CHECK (reference > 0),
  provider_payment_id text CONSTRAINT payments_provider_once UNIQUE CHECK (provider_payment_id <> ''),
  invoice_id uuid,
  amount bigint NOT NULL CHECK (amount > 0),
  to_escrow bigint NOT NULL CHECK (to_escrow >= 0),
  to_suspense bigint NOT NULL CHECK (to_suspense >= 0),
  paid_at timestamptz NOT NULL,
  booked_at timestamptz NOT NULL,
  wallet text,
  kind text,
  -- The code of the bank it came from, as the provider gave it: whoever sends a refund compares.
  payer_bank text CHECK (char_length(payer_bank) BETWEEN 1 AND 32),
  -- A confirmation by hand: the slip's number, who proposed it and who confirmed it.
  hand_reference text CONSTRAINT payments_hand_once UNIQUE,
  proposed_by bigint,
  confirmed_by bigint,
  matched_at timestamptz,
  CONSTRAINT payments_split CHECK (to_escrow + to_suspense = amount),
  CONSTRAINT payments_origin CHECK (provider_payment_id IS NOT NULL OR hand_reference IS NOT NULL),
  CONSTRAINT payments_invoice CHECK ((provider_payment_id IS NULL) = (invoice_id IS NULL)),
  CONSTRAINT payments_hand CHECK (
    (hand_reference IS NULL) = (proposed_by IS NULL) AND (hand_reference IS NULL) = (confirmed_by IS NULL)
  ),
  CONSTRAINT payments_two_hands CHECK (proposed_by <> confirmed_by),
  CONSTRAINT payments_matched CHECK (
    (matched_at IS NOT NULL) = (hand_reference IS NOT NULL AND provider_payment_id IS NOT NULL)
  ),
  CONSTRAINT payments_hand_plain CHECK (hand_reference = upper(btrim(hand_reference)) AND hand_reference <> '')
);
CREATE INDEX payments_reference ON payments.payments (reference);
CREATE INDEX payments_excess ON payments.payments (id) WHERE to_suspense > 0;

-- Money on its way out. One live record per (reference, kind, source), so the same money cannot be sent twice.
CREATE TABLE payments.payouts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reference bigint NOT NULL CHECK (reference > 0),
  kind text NOT NULL CHECK (kind IN ('payout', 'refund')),
  source text NOT NULL CHECK (source ~ '^(escrow|suspense:[1-9][0-9]*)$'),
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'approved', 'sent', 'done', 'unknown', 'void')),
  recipient_id bigint,
  destination jsonb CHECK (jsonb_typeof(destination) = 'object' AND destination ?& '{bankName,accountName,accountNumber}'),
  due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  approved_by bigint,
  approved_at timestamptz,
  four_eyes boolean NOT NULL DEFAULT false,
  sent_by bigint,
  sent_at timestamptz,
  bank_reference text CONSTRAINT payouts_bank_reference_once UNIQUE,
  reference_missing boolean NOT NULL DEFAULT false,
  done_by bigint,
  done_at timestamptz,
  unknown_by bigint,
  unknown_at timestamptz,
  voided_by bigint,
  voided_at timestamptz,
  reason text,
  replaces bigint UNIQUE REFERENCES payments.payouts (id),
  CONSTRAINT payouts_from_escrow CHECK (kind = 'refund' OR source = 'escrow'),
  CONSTRAINT payouts_approval CHECK (
    CASE state
      WHEN 'due' THEN approved_at IS NULL AND approved_by IS NULL
      WHEN 'void' THEN (approved_at IS NULL) = (approved_by IS NULL)
      ELSE approved_at IS NOT NULL AND approved_by IS NOT NULL AND destination IS NOT NULL
    END
  ),
  CONSTRAINT payouts_sending CHECK (
    (sent_at IS NULL) = (sent_by IS NULL)
    AND CASE
      WHEN state IN ('due', 'approved') THEN sent_at IS NULL AND bank_reference IS NULL
      WHEN state IN ('sent', 'done') THEN sent_at IS NOT NULL AND (bank_reference IS NULL) = reference_missing
      ELSE true
    END
  ),
  CONSTRAINT payouts_reference_missing CHECK (NOT reference_missing OR state IN ('sent', 'unknown')),
  CONSTRAINT payouts_four_eyes CHECK (NOT four_eyes OR sent_by <> approved_by),
  CONSTRAINT payouts_doing CHECK ((state = 'done') = (done_at IS NOT NULL) AND (done_at IS NULL) = (done_by IS NULL)),
  CONSTRAINT payouts_doubt CHECK (state <> 'unknown' OR (unknown_at IS NOT NULL AND reason IS NOT NULL)),
  CONSTRAINT payouts_voiding CHECK ((state = 'void') = (voided_at IS NOT NULL) AND (state <> 'void' OR reason IS NOT NULL)),
  CONSTRAINT payouts_bank_reference_plain CHECK (
    bank_reference = upper(btrim(bank_reference)) AND length(bank_reference) BETWEEN 1 AND 200
  )
);
CREATE UNIQUE INDEX payouts_live ON payments.payouts (reference, kind, source) WHERE state <> 'void';
CREATE INDEX payouts_reference ON payments.payouts (reference);
CREATE INDEX payouts_state ON payments.payouts (state, id);
CREATE INDEX payouts_waiting ON payments.payouts (due_at, id)
  WHERE state IN ('due', 'approved', 'unknown') OR reference_missing;

-- One journal per business event. `xact` is the transaction that posted it: nobody adds to it later.
CREATE TABLE payments.journals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event text NOT NULL CONSTRAINT journals_event_once UNIQUE,
  kind text NOT NULL CHECK (kind IN ('payment', 'payout', 'refund', 'settlement', 'correction')),
  reference bigint,
  payment_id bigint REFERENCES payments.payments (id),
  payout_id bigint REFERENCES payments.payouts (id),
  corrects bigint CONSTRAINT journals_corrected_once UNIQUE REFERENCES payments.journals (id),
  at timestamptz NOT NULL,
  xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT journals_reference CHECK (kind IN ('settlement', 'correction') OR reference IS NOT NULL),
  CONSTRAINT journals_of_what CHECK (
    CASE
      WHEN kind = 'payment' THEN payment_id IS NOT NULL AND event = 'payment:' || payment_id
      WHEN kind IN ('payout', 'refund') THEN payout_id IS NOT NULL AND event = 'payout:' || payout_id
      WHEN kind = 'correction' THEN corrects IS NOT NULL AND event = 'correction:' || corrects
      ELSE starts_with(event, 'settlement:')
    END
    AND num_nonnulls(payment_id, payout_id, corrects) <= 1
  )
);
CREATE INDEX journals_reference ON payments.journals (reference);

CREATE TABLE payments.entries (
  journal_id bigint NOT NULL REFERENCES payments.journals (id),
  account text NOT NULL CONSTRAINT entries_account CHECK (
    account ~ '^(provider:qpay|bank|fees|expense:qpay|(escrow|suspense):[1-9][0-9]*)$'
  ),
  amount bigint NOT NULL CONSTRAINT entries_amount CHECK (amount <> 0),
  PRIMARY KEY (journal_id, account)
);

-- What we owe to others, in the credit sense; only these accounts are locked, and none goes below zero.
CREATE TABLE payments.balances (
  account text PRIMARY KEY CHECK (account ~ '^(escrow|suspense):[1-9][0-9]*$'),
  balance bigint NOT NULL CONSTRAINT balances_not_negative CHECK (balance >= 0)
) WITH (fillfactor = 80);

-- The switch that stops every outgoing step. Its one row; no row counts as halted.
CREATE TABLE payments.halt (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  halted boolean NOT NULL DEFAULT false,
  reason text,
  changed_by bigint,
  changed_at timestamptz
);
INSERT INTO payments.halt DEFAULT VALUES;

CREATE FUNCTION payments.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payments.% keeps what was written: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER journals_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON payments.journals
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();
CREATE TRIGGER entries_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON payments.entries
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();
CREATE TRIGGER payments_kept BEFORE DELETE OR TRUNCATE ON payments.payments
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();
CREATE TRIGGER payouts_kept BEFORE DELETE OR TRUNCATE ON payments.payouts
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();
CREATE TRIGGER balances_kept BEFORE DELETE OR TRUNCATE ON payments.balances
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();
CREATE TRIGGER halt_kept BEFORE DELETE OR TRUNCATE ON payments.halt
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();
-- A balance moves only beneath entries_posted(): written by any other hand the statement is not nested in a trigger.
CREATE TRIGGER balances_follow_entries BEFORE INSERT OR UPDATE ON payments.balances
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION payments.refuse_change();

-- A journal's entries come in one statement, balanced, in the transaction of their journal. Checking here as well as at
-- commit closes the way round by SET CONSTRAINTS, and costs one call a statement. Then the balances follow, by name.
CREATE FUNCTION payments.entries_posted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  odd bigint;
  line record;
BEGIN
  SELECT p.journal_id INTO odd
    FROM posted p JOIN payments.journals j ON j.id = p.journal_id
    GROUP BY p.journal_id, j.xact
    HAVING sum(p.amount) <> 0 OR count(*) < 2 OR j.xact <> pg_current_xact_id()
    LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'journal % must be posted whole, balanced and at once', odd
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_whole';
  END IF;
  FOR line IN
    SELECT account, -sum(amount) AS change FROM posted
      WHERE account LIKE 'escrow:%' OR account LIKE 'suspense:%'
      GROUP BY account ORDER BY account COLLATE "C"
  LOOP
    IF line.change >= 0 THEN
      INSERT INTO payments.balances AS b (account, balance) VALUES (line.account, line.change)
        ON CONFLICT (account) DO UPDATE SET balance = b.balance + excluded.balance;
    ELSE
      UPDATE payments.balances SET balance = balance + line.change WHERE account = line.account;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'account % holds nothing', line.account
          USING ERRCODE = 'check_violation', CONSTRAINT = 'balances_not_negative';
      END IF;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER entries_posted AFTER INSERT ON payments.entries
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION payments.entries_posted();

-- At commit: every journal sums to zero over at least two entries, agrees with what it records, and undoes exactly
-- what it corrects.
CREATE FUNCTION payments.journal_whole() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lines int;
  total numeric;
  fits boolean := true;
BEGIN
  SELECT count(*), coalesce(sum(amount), 0) INTO lines, total FROM payments.entries WHERE journal_id = NEW.id;
  IF lines < 2 OR total <> 0 OR NEW.xact <> pg_current_xact_id() THEN
    RAISE EXCEPTION 'journal % has % entries that sum to %', NEW.id, lines, total
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_whole';
  END IF;
  IF NEW.payout_id IS NOT NULL THEN
    SELECT p.sent_at IS NOT NULL AND p.kind = NEW.kind AND p.reference = NEW.reference INTO fits
      FROM payments.payouts p WHERE p.id = NEW.payout_id;
  ELSIF NEW.payment_id IS NOT NULL THEN
    SELECT p.reference = NEW.reference INTO fits FROM payments.payments p WHERE p.id = NEW.payment_id;
  ELSIF NEW.corrects IS NOT NULL THEN
    SELECT c.kind <> 'correction' AND c.reference IS NOT DISTINCT FROM NEW.reference AND NOT EXISTS (
      SELECT FROM payments.entries WHERE journal_id IN (NEW.id, c.id) GROUP BY account HAVING sum(amount) <> 0
    ) INTO fits FROM payments.journals c WHERE c.id = NEW.corrects;
  ELSE
    SELECT bool_and(account IN ('bank', 'provider:qpay', 'expense:qpay')) INTO fits
      FROM payments.entries WHERE journal_id = NEW.id;
  END IF;
  IF NOT fits THEN
    RAISE EXCEPTION 'journal % does not fit what it records', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_fits';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER journal_whole AFTER INSERT ON payments.journals
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payments.journal_whole();

CREATE FUNCTION payments.payment_posted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM payments.journals WHERE event = 'payment:' || NEW.id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'payment % has no journal', NEW.id USING ERRCODE = 'check_violation', CONSTRAINT = 'payment_posted';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER payment_posted AFTER INSERT ON payments.payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payments.payment_posted();

-- A booked payment changes once only: a confirmation by hand meets its PAID row.
CREATE FUNCTION payments.payment_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  matched payments.payments := OLD;
BEGIN
  matched.provider_payment_id := NEW.provider_payment_id;
  matched.invoice_id := NEW.invoice_id;
  matched.matched_at := NEW.matched_at;
  matched.paid_at := NEW.paid_at;
  matched.wallet := NEW.wallet;
  matched.kind := NEW.kind;
  matched.payer_bank := NEW.payer_bank;
  IF OLD.provider_payment_id IS NOT NULL OR NEW.matched_at IS NULL OR NEW IS DISTINCT FROM matched THEN
    RAISE EXCEPTION 'payment % is booked and does not change', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_changed BEFORE UPDATE ON payments.payments
  FOR EACH ROW EXECUTE FUNCTION payments.payment_changed();

-- due → approved → sent → done; unknown until a person reconciles it; void before sending, or when nothing was sent.
CREATE FUNCTION payments.payout_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved boolean;
  posted boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'due' OR NEW.sent_at IS NOT NULL OR NEW.four_eyes OR NEW.reason IS NOT NULL THEN
      RAISE EXCEPTION 'a % begins as due', NEW.kind USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_begin';
    END IF;
    RETURN NEW;
  END IF;
  moved := NEW.state <> OLD.state;
  IF moved AND OLD.state || '>' || NEW.state NOT IN (
    'due>approved', 'approved>due', 'due>void', 'approved>void', 'approved>sent', 'approved>unknown',
    'sent>done', 'sent>unknown', 'unknown>sent', 'unknown>void'
  ) THEN
    RAISE EXCEPTION '% % cannot go from % to %', NEW.kind, NEW.id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_transition';
  END IF;
  IF (NEW.id, NEW.reference, NEW.kind, NEW.source, NEW.amount, NEW.fee, NEW.created_at)
     IS DISTINCT FROM (OLD.id, OLD.reference, OLD.kind, OLD.source, OLD.amount, OLD.fee, OLD.created_at)
     OR NEW.replaces IS DISTINCT FROM OLD.replaces
     OR (OLD.state <> 'due' AND (NEW.destination IS DISTINCT FROM OLD.destination OR NEW.recipient_id IS DISTINCT FROM OLD.recipient_id))
     OR (OLD.state || '>' || NEW.state NOT IN ('due>approved', 'approved>due')
         AND (NEW.approved_by, NEW.approved_at) IS DISTINCT FROM (OLD.approved_by, OLD.approved_at))
     OR (NOT (moved AND NEW.state = 'sent') AND (NEW.sent_by, NEW.sent_at) IS DISTINCT FROM (OLD.sent_by, OLD.sent_at))
     OR (OLD.sent_at IS NOT NULL AND (NEW.sent_by, NEW.sent_at) IS DISTINCT FROM (OLD.sent_by, OLD.sent_at))
     OR (OLD.bank_reference IS NOT NULL AND NEW.bank_reference IS DISTINCT FROM OLD.bank_reference)
     OR (OLD.four_eyes AND NOT NEW.four_eyes AND NEW.state <> 'due')
     OR (OLD.state IN ('done', 'void') AND NEW IS DISTINCT FROM OLD) THEN
    RAISE EXCEPTION '% % keeps what was decided', NEW.kind, NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_frozen';
  END IF;
  IF moved AND NEW.state IN ('sent', 'void') THEN
    SELECT count(*) = 1 INTO posted FROM payments.journals j
      WHERE j.event = 'payout:' || NEW.id AND NOT EXISTS (SELECT FROM payments.journals c WHERE c.corrects = j.id);
    IF posted <> (NEW.state = 'sent') THEN
      RAISE EXCEPTION '% % and its journal disagree', NEW.kind, NEW.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_posted';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payout_changed BEFORE INSERT OR UPDATE ON payments.payouts
  FOR EACH ROW EXECUTE FUNCTION payments.payout_changed();
