CREATE SCHEMA IF NOT EXISTS escrow;

-- One agreement between a buyer and a seller. Sums are whole tugrik, frozen here; balances live in the ledger alone.
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
  CHECK (buyer_id <> seller_id),
  CHECK (gross = net + fee),
  CHECK (gross = amount + CASE fee_payer WHEN 'buyer' THEN fee WHEN 'split' THEN fee - fee / 2 ELSE 0 END),
  CHECK ((status = 'disputed') = (disputed_from IS NOT NULL)),
  CHECK ((status IN ('completed', 'cancelled')) = (ended_at IS NOT NULL)),
  CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
  CHECK (status <> 'completed' OR end_reason IN ('paid_out', 'closed')),
  CHECK (status <> 'cancelled' OR end_reason IN ('withdrawn', 'expired', 'agreed', 'admin', 'ruling')),
  -- Money that is in hand is what these three states mean.
  CHECK (status NOT IN ('payment_confirmed', 'exchange_completed', 'settlement_pending', 'disputed')
    OR confirmed_at IS NOT NULL),
  CHECK (status NOT IN ('initiated', 'payment_initiated', 'payment_pending', 'payment_processing', 'payment_failed')
    OR confirmed_at IS NULL),
  CHECK (status <> 'exchange_completed' OR (buyer_completed_at IS NOT NULL AND seller_completed_at IS NULL)),
  -- Whoever asks to cancel must withdraw that before confirming.
  CHECK (ended_at IS NOT NULL OR buyer_cancel_at IS NULL OR seller_cancel_at IS NULL),
  CHECK (handed_over_at IS NOT NULL OR hand_over_note IS NULL)
);

CREATE INDEX trades_of_buyer ON escrow.trades (buyer_id, id DESC);
CREATE INDEX trades_of_seller ON escrow.trades (seller_id, id DESC);
CREATE INDEX trades_newest ON escrow.trades (created_at DESC, id DESC);
CREATE INDEX trades_under_way ON escrow.trades (status, id) WHERE ended_at IS NULL;

-- An agreement keeps its room and its code, and once roles are locked also its people and, once paid, its sums.
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

-- Hidden, never erased.
CREATE FUNCTION escrow.refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'escrow.% rows are never deleted', TG_TABLE_NAME;
END $$;
CREATE TRIGGER refuse_delete BEFORE DELETE ON escrow.trades
  FOR EACH ROW EXECUTE FUNCTION escrow.refuse_delete();

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

-- One row a promise of time. `next_at` is when something has to be done next: a reminder, or the end.
CREATE TABLE escrow.deadlines (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  kind text NOT NULL CHECK (kind IN ('payment_window', 'hand_over', 'buyer_finish', 'admin_review', 'payout',
    'dispute_statements', 'dispute_ruling')),
  state text NOT NULL CHECK (state IN ('running', 'paused', 'overdue', 'closed')),
  started_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  reminded integer NOT NULL DEFAULT 0 CHECK (reminded >= 0),
  next_at timestamptz,
  paused_at timestamptz,
  overdue_at timestamptz,
  closed_at timestamptz,
  CHECK ((state = 'paused') = (paused_at IS NOT NULL)),
  CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CHECK (state <> 'overdue' OR overdue_at IS NOT NULL),
  CHECK (state NOT IN ('paused', 'closed') OR next_at IS NULL)
);
CREATE UNIQUE INDEX deadlines_live ON escrow.deadlines (trade_id, kind) WHERE state <> 'closed';
CREATE INDEX deadlines_next ON escrow.deadlines (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX deadlines_overdue ON escrow.deadlines (due_at, id) WHERE state = 'overdue';

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
  CHECK ((outcome IS NULL) = (ended_at IS NULL)),
  CHECK ((outcome IS NOT DISTINCT FROM 'split') = (refund_amount IS NOT NULL))
);
CREATE UNIQUE INDEX disputes_live ON escrow.disputes (trade_id) WHERE outcome IS NULL;
CREATE INDEX disputes_of_trade ON escrow.disputes (trade_id, id DESC);

-- What the parties and the administrators wrote; apart, so that it can be erased while the dispute stays.
CREATE TABLE escrow.dispute_statements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dispute_id bigint NOT NULL REFERENCES escrow.disputes,
  by_role text NOT NULL CHECK (by_role IN ('buyer', 'seller', 'admin')),
  by_user bigint NOT NULL,
  body text NOT NULL CHECK (char_length(body) BETWEEN 1 AND 2000),
  at timestamptz NOT NULL
);
CREATE INDEX statements_of_dispute ON escrow.dispute_statements (dispute_id, id);

-- A payment confirmed by people while the provider cannot: one proposes, another one confirms.
CREATE TABLE escrow.hand_confirmations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 999999999),
  bank_reference text NOT NULL CHECK (char_length(bank_reference) BETWEEN 1 AND 64),
  proposed_by bigint NOT NULL,
  proposed_at timestamptz NOT NULL,
  confirmed_by bigint,
  confirmed_at timestamptz,
  CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL)),
  CHECK (confirmed_by <> proposed_by)
);
-- One bank transfer confirms one payment.
CREATE UNIQUE INDEX hand_confirmations_reference ON escrow.hand_confirmations (bank_reference);
CREATE UNIQUE INDEX hand_confirmations_open ON escrow.hand_confirmations (trade_id) WHERE confirmed_at IS NULL;

-- While one is asking, cancelling and making invoices of a trade, nobody else does; the provider is called outside any
-- transaction, so this is a lease and not a lock. One that ran out counts for nothing.
CREATE TABLE escrow.invoicing (
  trade_id bigint PRIMARY KEY REFERENCES escrow.trades,
  token uuid NOT NULL,
  until timestamptz NOT NULL
);
