-- Trades: the agreement, its deadlines, disputes, information and destinations of money, the vault, and what people report or ask.
CREATE SCHEMA escrow;

-- Rows of what happened are never deleted; a trade is hidden instead.
CREATE FUNCTION escrow.refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'escrow.% rows are never deleted', TG_TABLE_NAME;
END $$;

-- One agreement between a buyer and a seller. Sums are whole tugrik, frozen here; only the ledger has balances.
CREATE TABLE escrow.trades (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL UNIQUE CHECK (code ~ '^MM-[0-9A-HJKMNP-TV-Z]{8}$'),
  room_id bigint NOT NULL UNIQUE,
  buyer_id bigint NOT NULL,
  seller_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 999999999),
  fee bigint NOT NULL CHECK (fee >= 0),
  fee_payer text NOT NULL CHECK (fee_payer IN ('buyer', 'seller', 'split')),
  fee_policy text NOT NULL CHECK (fee_policy IN ('standard', 'terms')),
  gross bigint NOT NULL CHECK (gross BETWEEN 1 AND 999999999),
  net bigint NOT NULL CHECK (net >= 1),
  description text CHECK (char_length(description) BETWEEN 1 AND 255),
  status text NOT NULL CHECK (status IN ('initiated', 'payment_initiated', 'payment_pending', 'payment_processing',
    'payment_confirmed', 'payment_failed', 'exchange_completed', 'settlement_pending', 'disputed', 'completed',
    'cancelled')),
  invoice_id uuid,
  roles_locked_at timestamptz,
  marked_paid_at timestamptz,
  confirmed_at timestamptz,
  handed_over_at timestamptz,
  hand_over_note text CHECK (char_length(hand_over_note) BETWEEN 1 AND 1000),
  buyer_completed_at timestamptz,
  seller_completed_at timestamptz,
  buyer_cancel_at timestamptz,
  seller_cancel_at timestamptz,
  disputed_from text CHECK (disputed_from IN ('payment_confirmed', 'exchange_completed', 'settlement_pending')),
  end_reason text CHECK (end_reason IN ('paid_out', 'closed', 'withdrawn', 'expired', 'agreed', 'admin', 'ruling')),
  ended_at timestamptz,
  hidden_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- At the end of retention a trade keeps its code, sums, moments and the ids of its people; what was said and given goes.
  erased_at timestamptz,
  -- Since when both sides read that their payment is being checked.
  on_hold_since timestamptz,
  -- When the buyer confirmed although no handover was recorded: they say that they received the goods another way.
  received_otherwise_at timestamptz,
  -- A digest of the trade reveals nothing of words and accounts without the salt, which goes when they are erased.
  salt bytea DEFAULT uuid_send(gen_random_uuid()) CONSTRAINT trades_salt CHECK (octet_length(salt) = 16),
  -- What kind of goods it is about, out of a short list: the payer reads it at the bank, where no member's words appear.
  goods text NOT NULL DEFAULT 'other' CONSTRAINT trades_goods CHECK (goods IN ('account', 'licence', 'key', 'item', 'other')),
  CHECK (buyer_id <> seller_id),
  CHECK (gross = net + fee),
  CHECK (gross = amount + CASE fee_payer WHEN 'buyer' THEN fee WHEN 'split' THEN fee - fee / 2 ELSE 0 END),
  CHECK ((status = 'disputed') = (disputed_from IS NOT NULL)),
  CHECK ((status IN ('completed', 'cancelled')) = (ended_at IS NOT NULL)),
  CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
  CHECK (status <> 'completed' OR end_reason IN ('paid_out', 'closed')),
  CHECK (status <> 'cancelled' OR end_reason IN ('withdrawn', 'expired', 'agreed', 'admin', 'ruling')),
  -- These states mean that Midman holds the money.
  CHECK (status NOT IN ('payment_confirmed', 'exchange_completed', 'settlement_pending', 'disputed')
    OR confirmed_at IS NOT NULL),
  CHECK (status NOT IN ('initiated', 'payment_initiated', 'payment_pending', 'payment_processing', 'payment_failed')
    OR confirmed_at IS NULL),
  CHECK (status <> 'exchange_completed' OR (buyer_completed_at IS NOT NULL AND seller_completed_at IS NULL)),
  -- A side that asks to cancel must withdraw that before it confirms.
  CHECK (ended_at IS NOT NULL OR buyer_cancel_at IS NULL OR seller_cancel_at IS NULL),
  CHECK (handed_over_at IS NOT NULL OR hand_over_note IS NULL),
  CONSTRAINT trades_erased CHECK (
    erased_at IS NULL OR (ended_at IS NOT NULL AND description IS NULL AND hand_over_note IS NULL)
  ),
  CONSTRAINT trades_received_otherwise CHECK (received_otherwise_at IS NULL OR buyer_completed_at IS NOT NULL)
);
CREATE INDEX trades_of_buyer ON escrow.trades (buyer_id, id DESC);
CREATE INDEX trades_of_seller ON escrow.trades (seller_id, id DESC);
CREATE INDEX trades_newest ON escrow.trades (created_at DESC, id DESC);
CREATE INDEX trades_under_way ON escrow.trades (status, id) WHERE ended_at IS NULL;
CREATE INDEX trades_to_erase ON escrow.trades (ended_at) WHERE ended_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX trades_by_status ON escrow.trades (status, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX trades_by_amount ON escrow.trades (amount DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX trades_confirmed ON escrow.trades (confirmed_at) INCLUDE (amount) WHERE confirmed_at IS NOT NULL;
CREATE INDEX trades_hidden ON escrow.trades (id) INCLUDE (amount, confirmed_at) WHERE hidden_at IS NOT NULL;

-- The pieces of three letters that a text consists of: a search for any part of it uses them, in any script and any locale (pg_trgm skips
-- Cyrillic in a database whose LC_CTYPE is C). The high cost makes the planner keep it for indexes.
CREATE FUNCTION escrow.trigrams(words text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 100
  RETURN ARRAY(SELECT DISTINCT substr(words, n, 3) FROM generate_series(1, char_length(words) - 2) AS n);
-- What administrators search in: the code and the description, each word with a space before and after it.
CREATE FUNCTION escrow.search_words(code text, description text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ' ' || lower(code) || ' ' || lower(coalesce(description, '')) || ' ';
CREATE INDEX trades_words ON escrow.trades USING gin (escrow.trigrams(escrow.search_words(code, description)))
  WHERE hidden_at IS NULL;

-- A trade keeps its room and its code, once roles are locked also its people and, once paid, its sums.
CREATE FUNCTION escrow.keep_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.room_id <> OLD.room_id OR NEW.code <> OLD.code OR NEW.created_at <> OLD.created_at THEN
    RAISE EXCEPTION 'escrow.trades: room, code and birth never change';
  END IF;
  IF OLD.roles_locked_at IS NOT NULL AND (NEW.roles_locked_at IS DISTINCT FROM OLD.roles_locked_at
    OR NEW.buyer_id <> OLD.buyer_id OR NEW.seller_id <> OLD.seller_id) THEN
    RAISE EXCEPTION 'escrow.trades: the parties are fixed since the first invoice';
  END IF;
  IF OLD.confirmed_at IS NOT NULL AND (NEW.gross <> OLD.gross OR NEW.net <> OLD.net OR NEW.fee <> OLD.fee
    OR NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at) THEN
    RAISE EXCEPTION 'escrow.trades: the sums are fixed since the payment';
  END IF;
  IF OLD.status = 'cancelled' AND NEW.status <> 'cancelled' THEN
    RAISE EXCEPTION 'escrow.trades: a cancelled trade is never revived';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_frozen BEFORE UPDATE ON escrow.trades
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_frozen();
CREATE TRIGGER refuse_delete BEFORE DELETE ON escrow.trades
  FOR EACH ROW EXECUTE FUNCTION escrow.refuse_delete();
CREATE FUNCTION escrow.trade_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.salt := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER trade_erased BEFORE UPDATE ON escrow.trades FOR EACH ROW
  WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION escrow.trade_erased();

-- Stamped once; the key refuses a second stamp.
CREATE TABLE escrow.steps (
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  step text NOT NULL CHECK (step IN ('initiated', 'payment_initiated', 'payment_processing', 'exchange_info',
    'completed')),
  completed_at timestamptz NOT NULL,
  PRIMARY KEY (trade_id, step)
);
CREATE FUNCTION escrow.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'escrow.%: % refused', TG_TABLE_NAME, TG_OP;
END $$;
CREATE TRIGGER stamped_once BEFORE UPDATE OR DELETE ON escrow.steps
  FOR EACH ROW EXECUTE FUNCTION escrow.refuse_change();

-- One row for each promise of time. `next_at` is when something has to be done next: a reminder, or the end.
CREATE TABLE escrow.deadlines (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  kind text NOT NULL CHECK (
    kind IN ('payment_window', 'hand_over', 'buyer_finish', 'admin_review', 'seller_finish', 'payout', 'refund_account',
      'dispute_statements', 'dispute_ruling')
  ),
  state text NOT NULL CHECK (state IN ('running', 'paused', 'overdue', 'closed')),
  started_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  reminded integer NOT NULL DEFAULT 0 CHECK (reminded >= 0),
  next_at timestamptz,
  paused_at timestamptz,
  overdue_at timestamptz,
  closed_at timestamptz,
  -- By how much it was extended because Midman itself was down; both sides are notified.
  extended_ms bigint NOT NULL DEFAULT 0 CHECK (extended_ms >= 0),
  CHECK ((state = 'paused') = (paused_at IS NOT NULL)),
  CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CHECK (state <> 'overdue' OR overdue_at IS NOT NULL),
  CHECK (state NOT IN ('paused', 'closed') OR next_at IS NULL)
);
CREATE UNIQUE INDEX deadlines_live ON escrow.deadlines (trade_id, kind) WHERE state <> 'closed';
CREATE INDEX deadlines_next ON escrow.deadlines (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX deadlines_overdue ON escrow.deadlines (due_at, id) WHERE state = 'overdue';

-- While a process asks about, cancels and makes invoices of a trade, no other does; it calls the provider outside any transaction, so this
-- is a lease and not a lock. One that ran out counts for nothing.
CREATE TABLE escrow.invoicing (
  trade_id bigint PRIMARY KEY REFERENCES escrow.trades,
  token uuid NOT NULL,
  until timestamptz NOT NULL
);

-- Disputes and rulings.

CREATE TABLE escrow.disputes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  opened_by text NOT NULL CHECK (opened_by IN ('buyer', 'seller')),
  opened_from text NOT NULL CHECK (opened_from IN ('payment_confirmed', 'exchange_completed', 'settlement_pending')),
  opened_at timestamptz NOT NULL,
  outcome text CHECK (outcome IN ('withdrawn', 'released', 'cancelled', 'release', 'refund', 'split', 'admin')),
  refund_amount bigint CHECK (refund_amount > 0),
  ruled_by bigint,
  ended_at timestamptz,
  -- The administrator who took the case; nobody else rules on it meanwhile.
  taken_by bigint,
  taken_at timestamptz,
  CHECK ((outcome IS NULL) = (ended_at IS NULL)),
  CHECK ((outcome IS NOT DISTINCT FROM 'split') = (refund_amount IS NOT NULL)),
  CONSTRAINT disputes_taken CHECK ((taken_by IS NULL) = (taken_at IS NULL))
);
CREATE UNIQUE INDEX disputes_live ON escrow.disputes (trade_id) WHERE outcome IS NULL;
CREATE INDEX disputes_of_trade ON escrow.disputes (trade_id, id DESC);
CREATE INDEX disputes_open ON escrow.disputes (opened_at, id) WHERE outcome IS NULL;

-- What the parties and the administrators wrote; separate, so that it can be erased while the dispute stays.
CREATE TABLE escrow.dispute_statements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dispute_id bigint NOT NULL REFERENCES escrow.disputes,
  by_role text NOT NULL CHECK (by_role IN ('buyer', 'seller', 'admin')),
  by_user bigint NOT NULL,
  body text NOT NULL CHECK (char_length(body) BETWEEN 1 AND 2000),
  at timestamptz NOT NULL
);
CREATE INDEX statements_of_dispute ON escrow.dispute_statements (dispute_id, id);

-- A ruling above the limit of four eyes: the mediator proposes it, another administrator confirms it. Its reason is erased with its trade.
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

-- A proposal stays as it was made, and its end is final; only the reason may be erased.
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

-- The key that signs bundles of evidence. It is here, beside what it signs for, because every instance needs the same one, and it is kept,
-- backed up and restored with the rest. The private half is encrypted.
CREATE TABLE escrow.evidence_key (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  public_key text NOT NULL,
  private_key bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- Manual confirmations: people confirm a payment while the provider cannot; one proposes, another one confirms. A proposal may be dismissed
-- with a reason, or be replaced by its proposer's correction (no reason). Such a proposal waits for nobody, and the transfer may be entered
-- again, also for the right trade. Its trade is then `aside_of`, and `trade_id` is null.
CREATE TABLE escrow.hand_confirmations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trade_id bigint REFERENCES escrow.trades,
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 999999999),
  bank_reference text NOT NULL CHECK (char_length(bank_reference) BETWEEN 1 AND 64),
  proposed_by bigint NOT NULL,
  proposed_at timestamptz NOT NULL,
  confirmed_by bigint,
  confirmed_at timestamptz,
  aside_of bigint REFERENCES escrow.trades,
  laid_aside_by bigint,
  laid_aside_at timestamptz,
  aside_reason text CHECK (char_length(aside_reason) BETWEEN 1 AND 2000),
  CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL)),
  CHECK (confirmed_by <> proposed_by),
  CONSTRAINT hand_confirmations_aside CHECK (
    num_nulls(laid_aside_by, laid_aside_at, aside_of) = CASE WHEN trade_id IS NULL THEN 0 ELSE 3 END
    AND (trade_id IS NOT NULL OR confirmed_at IS NULL)
    AND (trade_id IS NULL OR aside_reason IS NULL)
  )
);
-- One bank transfer confirms one payment.
CREATE UNIQUE INDEX hand_confirmations_reference ON escrow.hand_confirmations (bank_reference) WHERE laid_aside_at IS NULL;
CREATE UNIQUE INDEX hand_confirmations_open ON escrow.hand_confirmations (trade_id)
  WHERE confirmed_at IS NULL AND laid_aside_at IS NULL;
CREATE INDEX hand_confirmations_waiting ON escrow.hand_confirmations (proposed_at, id)
  WHERE confirmed_at IS NULL AND laid_aside_at IS NULL;
CREATE INDEX hand_confirmations_aside_of ON escrow.hand_confirmations (aside_of, id DESC) WHERE aside_reason IS NOT NULL;
CREATE INDEX hand_confirmations_of ON escrow.hand_confirmations ((coalesce(trade_id, aside_of)));

-- The log holds a proposal's id and not its figures, which the second administrator must not read before they enter their own: so what was
-- entered stays as it was.
CREATE FUNCTION escrow.keep_proposed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE'
    AND (coalesce(NEW.trade_id, NEW.aside_of), NEW.proposed_by) = (coalesce(OLD.trade_id, OLD.aside_of), OLD.proposed_by)
    AND (NEW.amount, NEW.bank_reference, NEW.proposed_at) = (OLD.amount, OLD.bank_reference, OLD.proposed_at)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'proposal % keeps what was entered', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER keep_proposed BEFORE UPDATE OR DELETE ON escrow.hand_confirmations
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_proposed();

-- Information exchange and the destinations of money.

-- How far each side has come. Nothing personal: it stays as long as the trade.
CREATE TABLE escrow.information (
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  side text NOT NULL CHECK (side IN ('buyer', 'seller')),
  -- The seller's bank account or the buyer's contact form, and its one correction.
  given_at timestamptz,
  corrected_at timestamptz,
  shared_at timestamptz,
  confirmed_at timestamptz,
  -- Which version of the other side's information was confirmed; null in confirmations of versions that did not record it.
  confirmed_version integer CHECK (confirmed_version >= 1),
  PRIMARY KEY (trade_id, side),
  CONSTRAINT information_corrected CHECK (corrected_at IS NULL OR given_at IS NOT NULL),
  CONSTRAINT information_confirmed_version CHECK (confirmed_version IS NULL OR confirmed_at IS NOT NULL)
);

-- What a side has done stays done: it confirms again only what has changed since.
CREATE FUNCTION escrow.keep_information() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.trade_id <> OLD.trade_id OR NEW.side <> OLD.side
     OR (OLD.given_at IS NOT NULL AND NEW.given_at IS DISTINCT FROM OLD.given_at)
     OR (OLD.corrected_at IS NOT NULL AND NEW.corrected_at IS DISTINCT FROM OLD.corrected_at)
     OR (OLD.shared_at IS NOT NULL AND NEW.shared_at IS NULL)
     OR (OLD.confirmed_at IS NOT NULL AND NEW.confirmed_at IS NULL)
     OR coalesce(NEW.confirmed_version, 0) < coalesce(OLD.confirmed_version, 0)
     OR (OLD.confirmed_at IS NOT NULL AND NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at
         AND coalesce(NEW.confirmed_version, 0) <= coalesce(OLD.confirmed_version, 0)) THEN
    RAISE EXCEPTION 'escrow.information: what a side has done is not undone';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_information BEFORE UPDATE ON escrow.information
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_information();
CREATE TRIGGER refuse_delete BEFORE DELETE ON escrow.information
  FOR EACH ROW EXECUTE FUNCTION escrow.refuse_delete();

-- The personal part, separate so that it can be erased at the end of retention. The latest version of a kind counts; earlier ones remain as
-- they were given, for a dispute to read.
CREATE TABLE escrow.details (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  side text NOT NULL,
  kind text NOT NULL,
  version integer NOT NULL,
  given_by bigint NOT NULL,
  given_at timestamptz NOT NULL,
  account_name text CHECK (char_length(account_name) BETWEEN 2 AND 100),
  bank_name text CHECK (char_length(bank_name) BETWEEN 2 AND 100),
  account_number text CHECK (account_number ~ '^[0-9]{4,20}$'),
  iban text CHECK (iban ~ '^MN[0-9]{18}$'),
  phone_number text CHECK (char_length(phone_number) BETWEEN 8 AND 24),
  email text CHECK (char_length(email) BETWEEN 3 AND 254),
  body text CHECK (char_length(body) BETWEEN 1 AND 2000),
  -- From which device an account was given, for the administrator who approves a payout to it.
  given_device text,
  CONSTRAINT details_kind CHECK ((side, kind) IN (('seller', 'bank'), ('buyer', 'contact'), ('buyer', 'refund'),
    ('seller', 'info'), ('buyer', 'info'))),
  -- One correction, and no more (specification §9).
  CONSTRAINT details_one_correction CHECK (version >= 1 AND (kind NOT IN ('bank', 'contact') OR version <= 2)),
  CONSTRAINT details_whole CHECK (
    CASE kind
      WHEN 'bank' THEN num_nulls(account_name, bank_name, account_number, phone_number, email) = 0 AND body IS NULL
      WHEN 'contact' THEN num_nulls(account_name, phone_number, email) = 0
        AND num_nonnulls(bank_name, account_number, iban, body) = 0
      WHEN 'refund' THEN num_nulls(account_name, bank_name, account_number) = 0
        AND num_nonnulls(phone_number, email, body) = 0
      ELSE body IS NOT NULL
        AND num_nonnulls(account_name, bank_name, account_number, iban, phone_number, email) = 0
    END
  ),
  CONSTRAINT details_version UNIQUE (trade_id, kind, side, version)
);
CREATE FUNCTION escrow.keep_details() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'escrow.details: a correction is a new version';
END $$;
CREATE TRIGGER keep_details BEFORE UPDATE ON escrow.details
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_details();

-- The handover vault: what the seller encrypts for the buyer.

-- A record and its moments. These stay, to settle "I never got it"; the encrypted text goes with the trade's end.
CREATE TABLE escrow.vaults (
  id uuid PRIMARY KEY,
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  version integer NOT NULL CHECK (version >= 1),
  -- Of the form or the call that made it, so that pressing twice makes one record.
  client_id uuid,
  sealed_by bigint NOT NULL,
  sealed_at timestamptz NOT NULL,
  -- The buyer's first opening, and how many there were.
  opened_at timestamptz,
  opened_count integer NOT NULL DEFAULT 0,
  -- What the buyer says they have done since.
  password_at timestamptz,
  second_factor_at timestamptz,
  recovery_at timestamptz,
  reminded_at timestamptz,
  -- A later record replaced it, or the trade has ended.
  destroyed_at timestamptz,
  body bytea,
  CONSTRAINT vaults_version UNIQUE (trade_id, version),
  CONSTRAINT vaults_client UNIQUE (trade_id, client_id),
  CONSTRAINT vaults_opened CHECK ((opened_at IS NULL) = (opened_count = 0)),
  CONSTRAINT vaults_checked CHECK (
    num_nonnulls(password_at, second_factor_at, recovery_at, reminded_at) = 0 OR opened_at IS NOT NULL
  ),
  CONSTRAINT vaults_destroyed CHECK ((body IS NULL) = (destroyed_at IS NOT NULL))
);
CREATE UNIQUE INDEX vaults_live ON escrow.vaults (trade_id) WHERE destroyed_at IS NULL;

-- The key of each record, itself encrypted. In a table of its own: a backup that leaves this table out holds no record that can be read,
-- whatever happens to the encryption key.
CREATE TABLE escrow.vault_keys (
  vault_id uuid PRIMARY KEY REFERENCES escrow.vaults,
  key bytea NOT NULL
);

-- A record's moments never change, and a destroyed one takes its key along; as the owner, because the application's role deletes no key.
CREATE FUNCTION escrow.keep_vault() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF (NEW.id, NEW.trade_id, NEW.version, NEW.client_id, NEW.sealed_by, NEW.sealed_at) IS DISTINCT FROM
       (OLD.id, OLD.trade_id, OLD.version, OLD.client_id, OLD.sealed_by, OLD.sealed_at)
     OR NEW.opened_count < OLD.opened_count
     OR (OLD.opened_at IS NOT NULL AND NEW.opened_at IS DISTINCT FROM OLD.opened_at)
     OR (OLD.password_at IS NOT NULL AND NEW.password_at IS DISTINCT FROM OLD.password_at)
     OR (OLD.second_factor_at IS NOT NULL AND NEW.second_factor_at IS DISTINCT FROM OLD.second_factor_at)
     OR (OLD.recovery_at IS NOT NULL AND NEW.recovery_at IS DISTINCT FROM OLD.recovery_at)
     OR (OLD.destroyed_at IS NOT NULL AND NEW.destroyed_at IS DISTINCT FROM OLD.destroyed_at)
     OR (NEW.body IS NOT NULL AND NEW.body IS DISTINCT FROM OLD.body) THEN
    RAISE EXCEPTION 'escrow.vaults: what was sealed, opened and destroyed stays so';
  END IF;
  -- Nothing is destroyed while its key is left.
  IF NEW.destroyed_at IS NOT NULL THEN
    DELETE FROM escrow.vault_keys WHERE vault_id = NEW.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_vault BEFORE UPDATE ON escrow.vaults FOR EACH ROW EXECUTE FUNCTION escrow.keep_vault();
CREATE TRIGGER refuse_delete BEFORE DELETE ON escrow.vaults FOR EACH ROW EXECUTE FUNCTION escrow.refuse_delete();

CREATE FUNCTION escrow.keep_vault_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'escrow.vault_keys: a key is made once and destroyed once';
END $$;
CREATE TRIGGER keep_vault_key BEFORE UPDATE ON escrow.vault_keys
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_vault_key();

-- However a trade ends, it cannot be committed with a vault that can still be opened.
CREATE FUNCTION escrow.ended_without_vault() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM escrow.vaults WHERE trade_id = NEW.id AND destroyed_at IS NULL) THEN
    RAISE EXCEPTION 'escrow.trades: trade % ended and left its vault', NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ended_without_vault AFTER UPDATE OF ended_at ON escrow.trades
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL)
  EXECUTE FUNCTION escrow.ended_without_vault();

-- Support requests, kept so that none is lost when an email is; each is known by its number.
CREATE TABLE escrow.support_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number text NOT NULL UNIQUE CHECK (number ~ '^SR-[0-9A-HJKMNP-TV-Z]{8}$'),
  -- A digest of the form's own id and its content: the same form sent twice is one request.
  fingerprint text NOT NULL UNIQUE CHECK (fingerprint ~ '^[A-Za-z0-9_-]{43}$'),
  -- Who was signed in. Their name and address are not copied: they go when the account goes.
  user_id bigint,
  name text CHECK (char_length(name) BETWEEN 1 AND 100),
  email text CHECK (email ~ '^[^\s@<>,;]+@[^\s@<>,;]+$'),
  topic text NOT NULL CHECK (topic IN ('payment', 'room', 'account', 'dispute', 'other')),
  code text CHECK (code ~ '^MM-[0-9A-HJKMNP-TV-Z]{8}$'),
  -- The trade of that code, if the person was a party to it.
  trade_id bigint REFERENCES escrow.trades,
  message text NOT NULL CHECK (char_length(message) BETWEEN 10 AND 4000),
  -- The field that people do not see was filled in: the request is kept, but nobody was notified.
  suspect boolean NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK ((user_id IS NULL) = (name IS NOT NULL)),
  CHECK ((user_id IS NULL) = (email IS NOT NULL)),
  CHECK (trade_id IS NULL OR (user_id IS NOT NULL AND code IS NOT NULL))
);
CREATE INDEX support_requests_of_user ON escrow.support_requests (user_id, id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX support_requests_of_trade ON escrow.support_requests (trade_id) WHERE trade_id IS NOT NULL;
CREATE INDEX support_requests_created ON escrow.support_requests (created_at);

-- What people report: a person or a message in their room, or a code that somebody showed them.
CREATE TABLE escrow.reports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number text NOT NULL UNIQUE CHECK (number ~ '^RP-[0-9A-HJKMNP-TV-Z]{8}$'),
  -- A digest of the form's own id and its content: the same form sent twice is one report.
  fingerprint text NOT NULL UNIQUE CHECK (fingerprint ~ '^[A-Za-z0-9_-]{43}$'),
  about text NOT NULL CHECK (about IN ('person', 'message', 'code')),
  happened text NOT NULL CHECK (happened IN ('fraud', 'other_payment', 'impersonation', 'abuse', 'other')),
  words text NOT NULL CHECK (char_length(words) <= 2000),
  -- Who reported; a visitor has no id, and an address only if they gave one.
  reporter_id bigint,
  email text CHECK (email ~ '^[^\s@<>,;]+@[^\s@<>,;]+$'),
  person_id bigint,
  room_id bigint,
  trade_id bigint REFERENCES escrow.trades,
  message_id bigint,
  -- The message as it was when it was reported.
  message text CHECK (char_length(message) <= 4000),
  message_at timestamptz,
  -- It put the trade on hold.
  held boolean NOT NULL,
  suspect boolean NOT NULL,
  created_at timestamptz NOT NULL,
  resolved_at timestamptz,
  resolved_by bigint,
  note text CHECK (char_length(note) BETWEEN 1 AND 2000),
  CONSTRAINT reports_about CHECK (
    CASE about WHEN 'code' THEN trade_id IS NOT NULL AND person_id IS NULL AND message_id IS NULL
      ELSE reporter_id IS NOT NULL AND person_id IS NOT NULL AND room_id IS NOT NULL AND (about = 'message') = (message_id IS NOT NULL) END),
  CONSTRAINT reports_reporter CHECK (reporter_id IS NULL OR email IS NULL),
  CONSTRAINT reports_resolved CHECK ((resolved_at IS NULL) = (resolved_by IS NULL) AND (resolved_at IS NULL) = (note IS NULL))
);
CREATE INDEX reports_open ON escrow.reports (created_at, id) WHERE resolved_at IS NULL AND NOT suspect;
CREATE INDEX reports_of_person ON escrow.reports (person_id, id) WHERE person_id IS NOT NULL;
CREATE INDEX reports_of_trade ON escrow.reports (trade_id, id) WHERE trade_id IS NOT NULL;
CREATE INDEX reports_by ON escrow.reports (reporter_id, id) WHERE reporter_id IS NOT NULL;

-- The figures of past days, so that nobody counts all trades to show them. A day is Mongolian. `payout_seconds` is how long sellers waited
-- in total, from the moment both had confirmed to the transfer. Written once.
CREATE TABLE escrow.day_figures (
  day date PRIMARY KEY,
  trades integer NOT NULL CHECK (trades >= 0),
  paid integer NOT NULL CHECK (paid >= 0),
  volume bigint NOT NULL CHECK (volume >= 0),
  fees bigint NOT NULL,
  payouts integer NOT NULL CHECK (payouts >= 0),
  payout_seconds bigint NOT NULL CHECK (payout_seconds >= 0)
);

-- Trades are in the log's chain, as payouts and holds are (0005_payments.sql). Form 1 of a trade: its row with its steps and disputes, what
-- two people proposed and confirmed, and what its sides gave; without hidden_at, on_hold_since and updated_at, and who has taken a dispute.
CREATE FUNCTION escrow.trade_digest(t escrow.trades) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT '1:' || base.digest_of(ARRAY['midman-trade', t.id::text, t.code, t.room_id::text, t.buyer_id::text, t.seller_id::text, t.amount::text,
    t.fee::text, t.fee_payer, t.fee_policy, t.gross::text, t.net::text, t.status, t.invoice_id::text, base.moment_text(t.roles_locked_at),
    base.moment_text(t.marked_paid_at), base.moment_text(t.confirmed_at), base.moment_text(t.handed_over_at),
    base.moment_text(t.received_otherwise_at), base.moment_text(t.buyer_completed_at), base.moment_text(t.seller_completed_at),
    base.moment_text(t.buyer_cancel_at), base.moment_text(t.seller_cancel_at), t.disputed_from, t.end_reason, base.moment_text(t.ended_at),
    base.moment_text(t.created_at),
    CASE WHEN t.erased_at IS NULL THEN base.digest_of(ARRAY[encode(t.salt, 'hex'), t.description, t.hand_over_note]) END,
    (SELECT string_agg(s.step || ' ' || base.moment_text(s.completed_at), ',' ORDER BY s.step COLLATE "C")
      FROM escrow.steps s WHERE s.trade_id = t.id),
    (SELECT string_agg(base.digest_of(ARRAY[d.id::text, d.opened_by, d.opened_from, base.moment_text(d.opened_at), d.outcome,
        d.refund_amount::text, d.ruled_by::text, base.moment_text(d.ended_at)]), ',' ORDER BY d.id)
      FROM escrow.disputes d WHERE d.trade_id = t.id),
    (SELECT string_agg(base.digest_of(ARRAY[p.id::text, p.dispute_id::text, p.ruling, p.refund_amount::text, p.sum::text, p.warnings::text,
        p.proposed_by::text, base.moment_text(p.proposed_at), p.confirmed_by::text, base.moment_text(p.confirmed_at), p.withdrawn_by::text,
        base.moment_text(p.withdrawn_at)]), ',' ORDER BY p.id)
      FROM escrow.ruling_proposals p WHERE p.trade_id = t.id),
    (SELECT string_agg(base.digest_of(ARRAY[c.id::text, c.trade_id::text, c.aside_of::text, c.amount::text, c.bank_reference,
        c.proposed_by::text, base.moment_text(c.proposed_at), c.confirmed_by::text, base.moment_text(c.confirmed_at), c.laid_aside_by::text,
        base.moment_text(c.laid_aside_at)]), ',' ORDER BY c.id)
      FROM escrow.hand_confirmations c WHERE coalesce(c.trade_id, c.aside_of) = t.id),
    CASE WHEN t.erased_at IS NULL THEN
      (SELECT string_agg(base.digest_of(ARRAY[encode(t.salt, 'hex'), d.id::text, d.side, d.kind, d.version::text, d.given_by::text,
          base.moment_text(d.given_at), d.account_name, d.bank_name, d.account_number, d.iban, d.phone_number, d.email, d.body]),
          ',' ORDER BY d.id)
        FROM escrow.details d WHERE d.trade_id = t.id) END])
$$;
