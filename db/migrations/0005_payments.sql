-- Money: invoices, what was paid in, the double-entry ledger, what is paid out, and what does not agree. Whole tugrik everywhere. An
-- entry's amount is signed: a debit is positive, a credit negative. `reference` is the trade's id.
CREATE SCHEMA payments;

CREATE FUNCTION payments.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payments.% keeps what was written: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

-- Invoices at the payment provider, and what Midman asked it.

CREATE TABLE payments.invoices (
  id uuid PRIMARY KEY,
  reference bigint NOT NULL CHECK (reference > 0),
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
  description text NOT NULL CHECK (char_length(description) BETWEEN 1 AND 255),
  state text NOT NULL DEFAULT 'reserved' CHECK (state IN ('reserved', 'open', 'cancelled', 'paid')),
  provider_id text UNIQUE CHECK (char_length(provider_id) BETWEEN 1 AND 64),
  qr_text text,
  short_url text,
  bank_links jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  opened_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT invoices_open_is_payable
    CHECK (state <> 'open' OR (provider_id IS NOT NULL AND qr_text IS NOT NULL AND opened_at IS NOT NULL)),
  CONSTRAINT invoices_end_is_dated CHECK ((state IN ('cancelled', 'paid')) = (ended_at IS NOT NULL))
);
-- At most one invoice of a trade is offered to payers at any time.
CREATE UNIQUE INDEX invoices_one_live ON payments.invoices (reference) WHERE state IN ('reserved', 'open');
CREATE INDEX invoices_by_reference ON payments.invoices (reference, created_at);

-- What was promised to the payer never changes, and an ended invoice never lives again: a cancelled one may still turn out paid.
CREATE FUNCTION payments.keep_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'payments.invoices: an invoice is never deleted' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.id <> OLD.id OR NEW.reference <> OLD.reference OR NEW.amount <> OLD.amount OR NEW.created_at <> OLD.created_at
     OR (OLD.provider_id IS NOT NULL AND NEW.provider_id IS DISTINCT FROM OLD.provider_id)
     OR (OLD.qr_text IS NOT NULL AND NEW.qr_text IS DISTINCT FROM OLD.qr_text) THEN
    RAISE EXCEPTION 'payments.invoices: what an invoice says never changes' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (OLD.state = 'paid' AND NEW.state <> 'paid')
     OR (OLD.state = 'cancelled' AND NEW.state NOT IN ('cancelled', 'paid'))
     OR (OLD.state = 'open' AND NEW.state = 'reserved') THEN
    RAISE EXCEPTION 'payments.invoices: % never becomes %', OLD.state, NEW.state
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER invoices_keep BEFORE UPDATE OR DELETE ON payments.invoices
  FOR EACH ROW EXECUTE FUNCTION payments.keep_invoice();

-- One row for each creation call to the provider. A repeated sender_invoice_no makes a second payable invoice there, so every call has its
-- own number and its own callback secret, and a call whose reply was lost stays known.
CREATE TABLE payments.provider_invoices (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id uuid NOT NULL REFERENCES payments.invoices (id),
  sender_invoice_no text NOT NULL UNIQUE CHECK (char_length(sender_invoice_no) BETWEEN 1 AND 45),
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  -- sent: under way; opened: answered; refused and unsent: nothing exists there; lost: something may exist there; found: lost, and later
  -- recognised by its payment.
  state text NOT NULL DEFAULT 'sent' CHECK (state IN ('sent', 'opened', 'refused', 'unsent', 'lost', 'found')),
  provider_id text UNIQUE CHECK (char_length(provider_id) BETWEEN 1 AND 64),
  refusal text,
  announced_payment text CHECK (char_length(announced_payment) BETWEEN 1 AND 64),
  -- What the provider answered when Midman cancelled it: cancelled, paid (too late), absent; null: not asked or no answer.
  withdrawal text CHECK (withdrawal IN ('cancelled', 'paid', 'absent')),
  sent_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Asking: the number of the last ask begun, of the last one ended, and of the last one that was answered.
  asks integer NOT NULL DEFAULT 0 CHECK (asks >= 0),
  ended_ask integer NOT NULL DEFAULT 0 CHECK (ended_ask <= asks),
  answered_ask integer NOT NULL DEFAULT 0 CHECK (answered_ask <= ended_ask),
  asked_at timestamptz,
  answered_at timestamptz,
  answer jsonb,
  lease_token uuid,
  leased_until timestamptz,
  CONSTRAINT provider_invoices_known CHECK (state NOT IN ('opened', 'found') OR provider_id IS NOT NULL),
  CONSTRAINT provider_invoices_nothing_there CHECK (state NOT IN ('refused', 'unsent') OR provider_id IS NULL),
  CONSTRAINT provider_invoices_lease CHECK ((lease_token IS NULL) = (leased_until IS NULL)),
  CONSTRAINT provider_invoices_answer CHECK ((answered_at IS NULL) = (answer IS NULL))
);
CREATE INDEX provider_invoices_by_invoice ON payments.provider_invoices (invoice_id);
CREATE UNIQUE INDEX provider_invoices_one_opened ON payments.provider_invoices (invoice_id) WHERE state = 'opened';
CREATE UNIQUE INDEX provider_invoices_one_sent ON payments.provider_invoices (invoice_id) WHERE state = 'sent';

-- Midman asks for ever about a provider's invoice, once it is known to be ours: it cannot be forgotten or given to another.
CREATE FUNCTION payments.keep_provider_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'payments.provider_invoices: never deleted' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.invoice_id <> OLD.invoice_id OR NEW.sender_invoice_no <> OLD.sender_invoice_no
     OR NEW.secret_hash <> OLD.secret_hash
     OR (OLD.provider_id IS NOT NULL AND NEW.provider_id IS DISTINCT FROM OLD.provider_id) THEN
    RAISE EXCEPTION 'payments.provider_invoices: its identity never changes'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER provider_invoices_keep BEFORE UPDATE OR DELETE ON payments.provider_invoices
  FOR EACH ROW EXECUTE FUNCTION payments.keep_provider_invoice();

-- What was paid in.

-- The provider sends one payment's id as text with leading zeros, as a number, or as a UUID in either case: one key for all of them.
CREATE FUNCTION payments.payment_key(id text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog AS $$
  SELECT CASE
    WHEN id ~ '^[0-9]+$' THEN coalesce(nullif(ltrim(id, '0'), ''), '0')
    WHEN id ~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$' THEN lower(replace(id, '-', ''))
    ELSE id
  END
$$;

-- Each PAID row of the provider, or a manual confirmation, once. The split between escrow and suspense is decided at booking.
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
  -- The code of the bank it came from, as the provider gave it: the administrator who sends a refund compares.
  payer_bank text CHECK (char_length(payer_bank) BETWEEN 1 AND 32),
  -- A manual confirmation: the slip's number, who proposed it and who confirmed it.
  hand_reference text CONSTRAINT payments_hand_once UNIQUE,
  proposed_by bigint,
  confirmed_by bigint,
  -- When a manual confirmation met its PAID row.
  matched_at timestamptz,
  provider_payment_key text GENERATED ALWAYS AS (payments.payment_key(provider_payment_id)) STORED,
  -- When a manual confirmation was proposed; null in rows of versions that did not record it.
  proposed_at timestamptz,
  -- The manual confirmation that a second booking was found to be the same money as.
  same_as bigint REFERENCES payments.payments (id),
  -- When the provider took the money back.
  taken_back_at timestamptz,
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
CREATE UNIQUE INDEX payments_provider_key ON payments.payments (provider_payment_key);
CREATE INDEX payments_reference ON payments.payments (reference);
CREATE INDEX payments_excess ON payments.payments (id) WHERE to_suspense > 0;
CREATE INDEX payments_paid ON payments.payments (paid_at);

-- A booked payment changes in three ways only, each once: a manual confirmation meets its PAID row; two administrators find it to be the
-- same money as a manual confirmation; two administrators record that the provider took it back.
CREATE FUNCTION payments.payment_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER payment_changed BEFORE UPDATE ON payments.payments
  FOR EACH ROW EXECUTE FUNCTION payments.payment_changed();
CREATE TRIGGER payments_kept BEFORE DELETE OR TRUNCATE ON payments.payments
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();

-- What is paid out.

-- Money on its way out. One live record for each (reference, kind, source), so that the same money cannot be sent twice.
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
  -- Who is making the transfer of an approved record, and since when. Withdrawing the approval ends it.
  claimed_by bigint,
  claimed_at timestamptz,
  -- When the account and the reasons were erased. The bank's number stays, so that it is still known where the money went.
  erased_at timestamptz,
  -- An administrator who named a refund's account because its buyer could not, when and why. Another administrator approves it.
  named_by bigint,
  named_at timestamptz,
  named_reason text CHECK (char_length(named_reason) BETWEEN 1 AND 2000),
  -- When the owner replaced the account, and the first of the two approvals that this takes.
  corrected_at timestamptz,
  first_approved_by bigint,
  first_approved_at timestamptz,
  -- An administrator's report that they had already made a transfer that another took over.
  reported_by bigint,
  reported_at timestamptz,
  reported_reference text CHECK (char_length(reported_reference) BETWEEN 1 AND 200),
  -- From whom the transfer of an approved or doubtful record was last taken over: the administrator who took it over cannot alone find
  -- that it was not made.
  taken_over_from bigint,
  -- The digest of a record reveals nothing of its account without the salt, which goes when the account is erased.
  salt bytea DEFAULT uuid_send(gen_random_uuid()) CONSTRAINT payouts_salt CHECK (octet_length(salt) = 16),
  -- The digest of the account once it is erased, so that the digest of the record stays the same.
  account_digest text NOT NULL DEFAULT ''
    CONSTRAINT payouts_account_digest CHECK (account_digest = '' OR (account_digest ~ '^[0-9a-f]{64}$' AND erased_at IS NOT NULL)),
  CONSTRAINT payouts_from_escrow CHECK (kind = 'refund' OR source = 'escrow'),
  CONSTRAINT payouts_approval CHECK (
    CASE state
      WHEN 'due' THEN approved_at IS NULL AND approved_by IS NULL
      WHEN 'void' THEN (approved_at IS NULL) = (approved_by IS NULL)
      ELSE approved_at IS NOT NULL AND approved_by IS NOT NULL AND (destination IS NOT NULL) = (erased_at IS NULL)
    END
  ),
  CONSTRAINT payouts_first_approval CHECK (
    (first_approved_by IS NULL) = (first_approved_at IS NULL)
    AND (first_approved_by IS NULL OR corrected_at IS NOT NULL)
    AND first_approved_by <> approved_by
  ),
  CONSTRAINT payouts_claim CHECK ((claimed_by IS NULL) = (claimed_at IS NULL) AND (state <> 'due' OR claimed_by IS NULL)),
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
  CONSTRAINT payouts_voiding CHECK (
    (state = 'void') = (voided_at IS NOT NULL) AND (state <> 'void' OR reason IS NOT NULL OR erased_at IS NOT NULL)
  ),
  CONSTRAINT payouts_erased CHECK (
    erased_at IS NULL OR (destination IS NULL AND reason IS NULL AND state IN ('sent', 'done', 'void'))
  ),
  CONSTRAINT payouts_named CHECK (
    (named_by IS NULL) = (named_at IS NULL)
    AND (named_reason IS NOT NULL) = (named_by IS NOT NULL AND erased_at IS NULL)
    AND (named_by IS NULL OR kind = 'refund' AND (destination IS NOT NULL OR erased_at IS NOT NULL))
  ),
  CONSTRAINT payouts_named_approval CHECK (named_by <> approved_by),
  CONSTRAINT payouts_report CHECK (num_nulls(reported_by, reported_at, reported_reference) IN (0, 3)),
  CONSTRAINT payouts_bank_reference_plain CHECK (
    bank_reference = upper(btrim(bank_reference)) AND length(bank_reference) BETWEEN 1 AND 200
  )
);
CREATE UNIQUE INDEX payouts_live ON payments.payouts (reference, kind, source) WHERE state <> 'void';
CREATE INDEX payouts_reference ON payments.payouts (reference);
CREATE INDEX payouts_state ON payments.payouts (state, id);
CREATE INDEX payouts_waiting ON payments.payouts (due_at, id)
  WHERE state IN ('due', 'approved', 'unknown') OR reference_missing;
CREATE INDEX payouts_sent ON payments.payouts (sent_at, id) WHERE sent_at IS NOT NULL;

-- The ledger.

-- One journal for each business event. `xact` is the transaction that posted it: nobody adds to it later.
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
CREATE INDEX journals_fees ON payments.journals (at) WHERE kind IN ('payout', 'refund', 'correction');
CREATE TRIGGER journals_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON payments.journals
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();

CREATE TABLE payments.entries (
  journal_id bigint NOT NULL REFERENCES payments.journals (id),
  account text NOT NULL CONSTRAINT entries_account CHECK (
    account ~ '^(provider:qpay|bank|fees|expense:qpay|(escrow|suspense):[1-9][0-9]*)$'
  ),
  amount bigint NOT NULL CONSTRAINT entries_amount CHECK (amount <> 0),
  PRIMARY KEY (journal_id, account)
);
CREATE TRIGGER entries_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON payments.entries
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();

-- What we owe to others, in the credit sense; only these accounts are locked, and none goes below zero.
CREATE TABLE payments.balances (
  account text PRIMARY KEY CHECK (account ~ '^(escrow|suspense):[1-9][0-9]*$'),
  balance bigint NOT NULL CONSTRAINT balances_not_negative CHECK (balance >= 0)
) WITH (fillfactor = 80);
CREATE TRIGGER balances_kept BEFORE DELETE OR TRUNCATE ON payments.balances
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();
-- Only entries_posted() moves a balance: any other statement is not nested in a trigger.
CREATE TRIGGER balances_follow_entries BEFORE INSERT OR UPDATE ON payments.balances
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION payments.refuse_change();

-- A journal's entries come in one statement, balanced, in the transaction of their journal. Checking here as well as at the commit
-- prevents a way round it by SET CONSTRAINTS, and costs one call for each statement. Then the balances follow, by name; as the owner,
-- because the application's role cannot write them.
CREATE FUNCTION payments.entries_posted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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

-- At the commit: every journal sums to zero over at least two entries, agrees with what it records, and undoes exactly what it corrects.
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

-- Rules of payouts.

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
CREATE TRIGGER payout_begun BEFORE INSERT ON payments.payouts
  FOR EACH ROW EXECUTE FUNCTION payments.payout_changed();

-- A sent record changes in one way besides erasing: only the phone goes from its destination, when its owner deletes their account. The
-- account stays, as the proof of where the money went.
CREATE FUNCTION payments.payout_loses_phone(before payments.payouts, after payments.payouts) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    before.state IN ('sent', 'done') AND before.destination ? 'phone' AND after.destination = before.destination - 'phone'
      AND to_jsonb(after) - 'destination' = to_jsonb(before) - 'destination',
    false
  )
$$;
CREATE TRIGGER payout_changed BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) AND NOT payments.payout_loses_phone(OLD, NEW))
  EXECUTE FUNCTION payments.payout_changed();

-- An account that is changed is a corrected one, whatever code changes it: it takes two approvals (docs/decisions/0020).
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

-- That an account was corrected is never undone: it is why its payment takes two people.
CREATE FUNCTION payments.payout_stays_corrected() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payouts: that the account of % was corrected stays', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER payout_stays_corrected BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (OLD.corrected_at IS NOT NULL AND NEW.corrected_at IS NULL)
  EXECUTE FUNCTION payments.payout_stays_corrected();

-- Like the account itself, that it was corrected, who approved it first and who named it stay from the approval on.
CREATE TRIGGER payout_first_approval BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (OLD.state <> 'due' AND NEW.state <> 'due' AND
    (NEW.corrected_at, NEW.first_approved_by, NEW.first_approved_at)
      IS DISTINCT FROM (OLD.corrected_at, OLD.first_approved_by, OLD.first_approved_at))
  EXECUTE FUNCTION payments.refuse_change();
CREATE TRIGGER payout_named BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (OLD.state <> 'due' AND (
    (NEW.named_by, NEW.named_at) IS DISTINCT FROM (OLD.named_by, OLD.named_at)
    OR NEW.erased_at IS NULL AND NEW.named_reason IS DISTINCT FROM OLD.named_reason
  ))
  EXECUTE FUNCTION payments.refuse_change();

-- The digest of a record's account; what it was before once the account is erased; null where none was ever named.
CREATE FUNCTION payments.account_digest(p payments.payouts) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p.destination IS NULL THEN nullif(p.account_digest, '')
    ELSE base.digest_of(ARRAY[encode(p.salt, 'hex'), p.destination->>'bankName', p.destination->>'accountName',
      p.destination->>'accountNumber', p.destination->>'iban']) END
$$;

-- Erasing changes a finished record and nothing else of it. With the account go the reasons that administrators wrote; the account's
-- digest stays.
CREATE FUNCTION payments.payout_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  goes constant text[] := '{destination,reason,named_reason,salt,account_digest,erased_at}';
  before payments.payouts := OLD;
BEGIN
  NEW.reason := NULL;
  NEW.named_reason := NULL;
  NEW.salt := NULL;
  NEW.account_digest := coalesce(payments.account_digest(before), '');
  IF to_jsonb(NEW) - goes IS DISTINCT FROM to_jsonb(OLD) - goes THEN
    RAISE EXCEPTION '% % keeps what was decided', NEW.kind, NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_frozen';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payout_erased BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION payments.payout_erased();
CREATE TRIGGER payouts_kept BEFORE DELETE OR TRUNCATE ON payments.payouts
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();

-- The switch that stops every outgoing step. Its one row; no row counts as halted. An administrator proposes to resume, and another
-- confirms it.
CREATE TABLE payments.halt (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  halted boolean NOT NULL DEFAULT false,
  reason text,
  changed_by bigint,
  changed_at timestamptz,
  resume_by bigint,
  resume_at timestamptz,
  resume_reason text,
  CONSTRAINT halt_resume CHECK ((resume_by IS NULL) = (resume_at IS NULL) AND (resume_by IS NULL OR halted))
);
INSERT INTO payments.halt DEFAULT VALUES;
CREATE TRIGGER halt_kept BEFORE DELETE OR TRUNCATE ON payments.halt
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();

-- Any turn of the switch ends the proposal.
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

-- Holds: every open reason for which no ending and no outgoing step of a trade takes effect.
CREATE TABLE payments.holds (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reference bigint NOT NULL CHECK (reference > 0),
  reason text NOT NULL CHECK (reason IN (
    'WRONG_CURRENCY', 'FRACTIONAL_AMOUNT', 'ODD_ROW', 'UNKNOWN_STATUS', 'PAYMENT_REVERSED', 'PAYMENT_GONE', 'FOREIGN_INVOICE',
    'IMPLAUSIBLE_AMOUNT', 'PAYMENT_DIFFERS', 'SUM_CONTRADICTS', 'PAID_UNLISTED', 'PAYMENT_ANNOUNCED', 'CHECK_UNANSWERED',
    'SECOND_PAYMENT', 'DIFFERENCE', 'TRANSFER_IN_DOUBT', 'FRAUD_REPORT')),
  -- What it is about: `payment:<key>`, `invoice:<id>`, `payout:<id>`, `difference:<name>`, `report:<user>:<digest>`.
  subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 200),
  -- What distinguishes holds of one subject: a person's answer about a payment of one sum is none about another sum.
  figures text NOT NULL DEFAULT '',
  facts jsonb NOT NULL,
  opened_at timestamptz NOT NULL,
  opened_by bigint,
  -- When the administrators were notified.
  told_at timestamptz,
  -- A resolution that waits for a second administrator.
  proposed_outcome text CHECK (proposed_outcome IN ('dismissed', 'booked', 'taken_back', 'same_payment')),
  proposed_by bigint,
  proposed_at timestamptz,
  proposed_note text,
  closed_at timestamptz,
  outcome text CHECK (outcome IN ('cleared', 'dismissed', 'booked', 'taken_back', 'same_payment')),
  closed_by bigint,
  note text,
  -- When the provider reported the payment as paid, since it last reported otherwise: decisions from before are none about the next such
  -- report.
  outdated_at timestamptz,
  -- As in payouts; facts_digest is of a closed hold's facts, once they are erased.
  salt bytea DEFAULT uuid_send(gen_random_uuid()) CONSTRAINT holds_salt CHECK (octet_length(salt) = 16),
  facts_digest text NOT NULL DEFAULT ''
    CONSTRAINT holds_facts_digest CHECK (facts_digest = '' OR (facts_digest ~ '^[0-9a-f]{64}$' AND closed_at IS NOT NULL)),
  CONSTRAINT holds_proposal CHECK (num_nulls(proposed_outcome, proposed_by, proposed_at, proposed_note) IN (0, 4)),
  CONSTRAINT holds_closed CHECK ((closed_at IS NULL) = (outcome IS NULL)),
  -- The provider clears without a note; a person writes why.
  CONSTRAINT holds_resolved CHECK (
    (closed_by IS NOT NULL) = (outcome IS NOT NULL AND outcome <> 'cleared') AND (closed_by IS NULL) = (note IS NULL)
  ),
  CONSTRAINT holds_two_people CHECK (closed_by <> proposed_by OR outcome = 'cleared')
);
CREATE UNIQUE INDEX holds_open ON payments.holds (reference, reason, subject) WHERE closed_at IS NULL;
CREATE INDEX holds_waiting ON payments.holds (opened_at, id) WHERE closed_at IS NULL;
CREATE INDEX holds_by_reference ON payments.holds (reference, id);

-- The cause of a hold never changes, and a closed one stays closed; personal facts and notes are erased at the end of retention.
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

-- The digest of a hold's facts without a person's note; what it was before once they are erased; null where there never were any.
CREATE FUNCTION payments.facts_digest(h payments.holds) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN h.facts - 'note' = '{}' THEN nullif(h.facts_digest, '')
    ELSE base.digest_of(ARRAY[encode(h.salt, 'hex'), (h.facts - 'note')::text]) END
$$;
CREATE FUNCTION payments.hold_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before payments.holds := OLD;
BEGIN
  NEW.facts_digest := payments.facts_digest(before);
  NEW.salt := NULL;
  RETURN NEW;
END $$;
-- Only a closed hold is erased: to empty the facts of an open one alters it.
CREATE TRIGGER hold_erased BEFORE UPDATE ON payments.holds FOR EACH ROW
  WHEN (OLD.closed_at IS NOT NULL AND OLD.facts - 'note' <> '{}' AND NEW.facts - 'note' = '{}') EXECUTE FUNCTION payments.hold_erased();

-- A correction undoes what was posted for a payout or a refund that was found not sent, or for a payment of which a hold's resolution says
-- that the provider took it back or that it is the money of a manual confirmation; nothing else.
CREATE FUNCTION payments.correction_known() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM payments.journals c JOIN payments.payouts p ON p.id = c.payout_id
    WHERE c.id = NEW.corrects AND p.state = 'void' AND p.sent_at IS NOT NULL
  ) AND NOT EXISTS (
    SELECT FROM payments.journals c JOIN payments.payments p ON p.id = c.payment_id JOIN payments.holds h ON h.reference = p.reference
    WHERE c.id = NEW.corrects AND h.facts ->> 'paymentId' = p.id::text
      AND h.outcome = CASE WHEN p.taken_back_at IS NOT NULL THEN 'taken_back' WHEN p.same_as IS NOT NULL THEN 'same_payment' END
  ) THEN
    RAISE EXCEPTION 'journal % corrects neither a transfer found not sent nor a payment found undone', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'correction_known';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER known_correction AFTER INSERT ON payments.journals DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.corrects IS NOT NULL) EXECUTE FUNCTION payments.correction_known();

-- Reconciliation: the daily comparison of the provider's list with our books, and the differences between the two.

-- One row for each run of a day, also for one that the provider did not answer (`failure`).
CREATE TABLE payments.reconciliation_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day date NOT NULL,
  begun_at timestamptz NOT NULL,
  -- Null: the morning's job.
  begun_by bigint,
  failure text CHECK (failure IN ('PROVIDER_UNAVAILABLE', 'PROVIDER_REFUSED')),
  there_count integer CHECK (there_count >= 0),
  there_sum bigint CHECK (there_sum >= 0),
  here_count integer CHECK (here_count >= 0),
  here_sum bigint,
  -- Differences that remain after it, those among them that are new, and those that had vanished.
  found integer CHECK (found >= 0),
  opened integer CHECK (opened BETWEEN 0 AND found),
  vanished integer CHECK (vanished >= 0),
  CONSTRAINT reconciliation_runs_answer CHECK (
    num_nulls(there_count, there_sum, here_count, here_sum, found, opened, vanished)
      = CASE WHEN failure IS NULL THEN 0 ELSE 7 END
  )
);
CREATE INDEX reconciliation_runs_day ON payments.reconciliation_runs (day, begun_at) WHERE failure IS NULL;

-- One row for each difference, once: its subject and the figures of both sides distinguish it.
CREATE TABLE payments.reconciliation_tasks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day date NOT NULL,
  cause text NOT NULL CHECK (cause IN (
    'missing_here', 'missing_there', 'by_hand', 'amount', 'status', 'refunded_there', 'uncountable', 'duplicate', 'other_invoice')),
  subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 200),
  figures text NOT NULL,
  provider_payment_id text,
  payment_id bigint REFERENCES payments.payments (id),
  reference bigint,
  there_amount bigint,
  there_status text,
  here_amount bigint,
  found_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'resolved', 'vanished')),
  closed_at timestamptz,
  resolved_by bigint,
  note text,
  UNIQUE (day, cause, subject, figures),
  CONSTRAINT reconciliation_tasks_closed CHECK ((state = 'open') = (closed_at IS NULL)),
  CONSTRAINT reconciliation_tasks_resolved CHECK (
    (state = 'resolved') = (resolved_by IS NOT NULL) AND (resolved_by IS NULL) = (note IS NULL)
  )
);
CREATE INDEX reconciliation_tasks_open ON payments.reconciliation_tasks (day, id) WHERE state = 'open';

-- QPay's settlements to our bank account, entered by hand from the bank's statement. The first administrator enters one, a second who
-- enters the same has it posted. An entry may be dismissed with a reason, or replaced by its proposer's correction (no reason). Such an
-- entry waits for nobody, and its bank reference may be entered again.
CREATE TABLE payments.settlements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bank_reference text NOT NULL CONSTRAINT settlements_bank_reference_plain CHECK (
    bank_reference = upper(btrim(bank_reference)) AND length(bank_reference) BETWEEN 1 AND 200
  ),
  received bigint NOT NULL CHECK (received > 0),
  cost bigint NOT NULL CHECK (cost >= 0),
  proposed_by bigint NOT NULL,
  proposed_at timestamptz NOT NULL,
  confirmed_by bigint,
  confirmed_at timestamptz,
  journal_id bigint UNIQUE REFERENCES payments.journals (id),
  laid_aside_by bigint,
  laid_aside_at timestamptz,
  aside_reason text CHECK (char_length(aside_reason) BETWEEN 1 AND 2000),
  CONSTRAINT settlements_four_eyes CHECK (confirmed_by <> proposed_by),
  CONSTRAINT settlements_confirmed CHECK (num_nulls(confirmed_by, confirmed_at, journal_id) IN (0, 3)),
  CONSTRAINT settlements_aside CHECK (
    num_nulls(laid_aside_by, laid_aside_at) IN (0, 2)
    AND (laid_aside_at IS NULL OR confirmed_at IS NULL)
    AND (laid_aside_at IS NOT NULL OR aside_reason IS NULL)
  )
);
CREATE UNIQUE INDEX settlements_reference ON payments.settlements (bank_reference) WHERE laid_aside_at IS NULL;
CREATE INDEX settlements_waiting ON payments.settlements (proposed_at, id) WHERE confirmed_at IS NULL AND laid_aside_at IS NULL;
CREATE INDEX settlements_laid_aside ON payments.settlements (id DESC) WHERE aside_reason IS NOT NULL;

-- The log holds an entry's id and not its figures, which the second administrator must not read before they enter their own: so what was
-- entered stays as it was. A posted or dismissed entry changes no more, but its reason is erased when it is old.
CREATE FUNCTION payments.keep_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kept payments.settlements := NEW;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.laid_aside_at IS NOT NULL AND NEW.aside_reason IS NULL THEN
      kept.aside_reason := OLD.aside_reason;
    ELSIF num_nonnulls(OLD.confirmed_at, OLD.laid_aside_at) = 0 THEN
      kept.confirmed_by := NULL;
      kept.confirmed_at := NULL;
      kept.journal_id := NULL;
      kept.laid_aside_by := NULL;
      kept.laid_aside_at := NULL;
      kept.aside_reason := NULL;
    END IF;
    IF kept IS DISTINCT FROM OLD THEN
      RAISE EXCEPTION 'settlement % keeps what was entered', OLD.id
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'settlements_kept';
    END IF;
  END IF;
  IF NEW.journal_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM payments.journals WHERE id = NEW.journal_id AND event = 'settlement:' || NEW.bank_reference
  ) THEN
    RAISE EXCEPTION 'settlement % and its journal disagree', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'settlements_posted';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_settlement BEFORE INSERT OR UPDATE ON payments.settlements
  FOR EACH ROW EXECUTE FUNCTION payments.keep_settlement();
CREATE TRIGGER settlements_kept BEFORE DELETE OR TRUNCATE ON payments.settlements
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();

-- The result of each verification of the whole ledger: its figures in tugrik and, where it is not whole, what was found.
CREATE TABLE payments.ledger_checks (
  at timestamptz PRIMARY KEY,
  ok boolean NOT NULL,
  received bigint NOT NULL,
  held bigint NOT NULL,
  suspense bigint NOT NULL,
  paid_out bigint NOT NULL,
  fees bigint NOT NULL,
  refunded bigint NOT NULL,
  journals bigint NOT NULL,
  entries bigint NOT NULL,
  payments bigint NOT NULL,
  payouts bigint NOT NULL,
  -- For each proof that failed its code, how many things break it and the first few of their names.
  problems jsonb,
  CHECK (ok = (problems IS NULL))
);

-- Journals, payouts and holds are in the log's chain: the entry that records a change also holds the digest of the row as it then was, so
-- that a row which is altered without the log is found. Each digest begins with the number of its form: when a later version covers more,
-- today's are still computed as today.

-- A journal's digest: its row and its lines.
CREATE FUNCTION payments.journal_digest(j payments.journals, lines text[]) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT base.digest_of(ARRAY['midman-journal-1', j.id::text, j.event, j.kind, j.reference::text, j.payment_id::text, j.payout_id::text,
    j.corrects::text, base.moment_text(j.at)] || lines)
$$;
CREATE FUNCTION payments.lines_of(journal bigint) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(account || ' ' || amount ORDER BY account COLLATE "C") FROM payments.entries WHERE journal_id = journal
$$;

-- Written at the commit, when the journal has all its lines, whatever code posted it.
CREATE FUNCTION payments.journal_digested() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  j payments.journals := NEW;
BEGIN
  INSERT INTO audit.entries (at, action, subject_kind, subject_id, data) VALUES (
    j.at, 'journal.posted', 'journal_digest', j.id,
    jsonb_build_object('event', j.event, 'digest', payments.journal_digest(j, payments.lines_of(j.id))));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER journal_digested AFTER INSERT ON payments.journals
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payments.journal_digested();

-- Form 1 of a payout or refund; without due_at (moved when Midman was down), the reasons, and the phone, which may go before the account.
CREATE FUNCTION payments.payout_digest(p payments.payouts) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT '1:' || base.digest_of(ARRAY['midman-transfer', p.id::text, p.reference::text, p.kind, p.source, p.amount::text, p.fee::text, p.state,
    p.recipient_id::text, payments.account_digest(p),
    p.named_by::text, base.moment_text(p.named_at), base.moment_text(p.corrected_at), base.moment_text(p.created_at),
    p.first_approved_by::text, base.moment_text(p.first_approved_at), p.approved_by::text, base.moment_text(p.approved_at),
    p.four_eyes::text, p.claimed_by::text, p.taken_over_from::text, base.moment_text(p.claimed_at), p.sent_by::text,
    base.moment_text(p.sent_at), p.bank_reference, p.reference_missing::text, p.reported_by::text, base.moment_text(p.reported_at),
    p.reported_reference, p.done_by::text, base.moment_text(p.done_at), p.unknown_by::text, base.moment_text(p.unknown_at),
    p.voided_by::text, base.moment_text(p.voided_at), p.replaces::text])
$$;

-- Form 1 of a hold; without told_at and the notes, which are erased.
CREATE FUNCTION payments.hold_digest(h payments.holds) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT '1:' || base.digest_of(ARRAY['midman-hold', h.id::text, h.reference::text, h.reason, h.subject, h.figures, payments.facts_digest(h),
    base.moment_text(h.opened_at), h.opened_by::text, h.proposed_outcome, h.proposed_by::text, base.moment_text(h.proposed_at), base.moment_text(h.closed_at), h.outcome,
    h.closed_by::text, base.moment_text(h.outdated_at)])
$$;
