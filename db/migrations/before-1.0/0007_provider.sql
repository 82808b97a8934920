-- Invoices at the payment provider, and what was asked of it.

CREATE TABLE payments.invoices (
  id          uuid PRIMARY KEY,
  reference   bigint NOT NULL CHECK (reference > 0),
  amount      bigint NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
  description text NOT NULL CHECK (char_length(description) BETWEEN 1 AND 255),
  state       text NOT NULL DEFAULT 'reserved' CHECK (state IN ('reserved', 'open', 'cancelled', 'paid')),
  provider_id text UNIQUE CHECK (char_length(provider_id) BETWEEN 1 AND 64),
  qr_text     text,
  short_url   text,
  bank_links  jsonb NOT NULL DEFAULT '[]',
  created_at  timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL CHECK (expires_at > created_at),
  opened_at   timestamptz,
  ended_at    timestamptz,
  CONSTRAINT invoices_open_is_payable
    CHECK (state <> 'open' OR (provider_id IS NOT NULL AND qr_text IS NOT NULL AND opened_at IS NOT NULL)),
  CONSTRAINT invoices_end_is_dated CHECK ((state IN ('cancelled', 'paid')) = (ended_at IS NOT NULL))
);

-- At most one invoice of a reference is offered to payers at any time.
CREATE UNIQUE INDEX invoices_one_live ON payments.invoices (reference) WHERE state IN ('reserved', 'open');
CREATE INDEX invoices_by_reference ON payments.invoices (reference, created_at);

-- One row for each creation call sent to the provider. A repeated sender_invoice_no makes a second payable invoice there,
-- so every call has its own number and its own callback secret, and a call whose reply was lost stays known.
CREATE TABLE payments.provider_invoices (
  id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id        uuid NOT NULL REFERENCES payments.invoices (id),
  sender_invoice_no text NOT NULL UNIQUE CHECK (char_length(sender_invoice_no) BETWEEN 1 AND 45),
  secret_hash       bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  -- sent: under way; opened: answered; refused and unsent: nothing exists there; lost: something may exist there;
  -- found: lost, and later recognised by its payment.
  state             text NOT NULL DEFAULT 'sent'
                    CHECK (state IN ('sent', 'opened', 'refused', 'unsent', 'lost', 'found')),
  provider_id       text UNIQUE CHECK (char_length(provider_id) BETWEEN 1 AND 64),
  refusal           text,
  announced_payment text CHECK (char_length(announced_payment) BETWEEN 1 AND 64),
  -- What the provider said to our cancelling: cancelled, paid (too late), absent; null: not asked or no answer.
  withdrawal        text CHECK (withdrawal IN ('cancelled', 'paid', 'absent')),
  sent_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Asking: the number of the last ask begun, of the last one ended, and of the last one that was answered.
  asks              integer NOT NULL DEFAULT 0 CHECK (asks >= 0),
  ended_ask         integer NOT NULL DEFAULT 0 CHECK (ended_ask <= asks),
  answered_ask      integer NOT NULL DEFAULT 0 CHECK (answered_ask <= ended_ask),
  asked_at          timestamptz,
  answered_at       timestamptz,
  answer            jsonb,
  lease_token       uuid,
  leased_until      timestamptz,
  CONSTRAINT provider_invoices_known CHECK (state NOT IN ('opened', 'found') OR provider_id IS NOT NULL),
  CONSTRAINT provider_invoices_nothing_there CHECK (state NOT IN ('refused', 'unsent') OR provider_id IS NULL),
  CONSTRAINT provider_invoices_lease CHECK ((lease_token IS NULL) = (leased_until IS NULL)),
  CONSTRAINT provider_invoices_answer CHECK ((answered_at IS NULL) = (answer IS NULL))
);

CREATE INDEX provider_invoices_by_invoice ON payments.provider_invoices (invoice_id);
CREATE UNIQUE INDEX provider_invoices_one_opened ON payments.provider_invoices (invoice_id) WHERE state = 'opened';
CREATE UNIQUE INDEX provider_invoices_one_sent ON payments.provider_invoices (invoice_id) WHERE state = 'sent';

-- Rows of the provider that may be money but cannot be booked by rule. Each waits for a person.
CREATE TABLE payments.provider_problems (
  id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id          uuid NOT NULL REFERENCES payments.invoices (id),
  code                text NOT NULL,
  provider_payment_id text NOT NULL CHECK (char_length(provider_payment_id) BETWEEN 1 AND 200),
  row                 jsonb NOT NULL,
  seen_at             timestamptz NOT NULL,
  resolved_at         timestamptz,
  resolved_by         bigint,
  note                text,
  UNIQUE (provider_payment_id, code),
  CONSTRAINT provider_problems_resolved
    CHECK ((resolved_at IS NULL) = (resolved_by IS NULL) AND (resolved_at IS NULL) = (note IS NULL))
);

CREATE INDEX provider_problems_open ON payments.provider_problems (seen_at) WHERE resolved_at IS NULL;

-- What was promised to the payer never changes, and an ended invoice never lives again: cancelled may still turn out paid.
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

-- A provider's invoice, once known to be ours, is asked about for ever: it cannot be forgotten or handed to another.
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
