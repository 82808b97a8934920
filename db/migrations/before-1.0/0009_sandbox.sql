-- The sandbox provider's own books; empty where a real provider is configured.
-- It plays the far end: nothing here refers to Midman's tables, and Midman reads none of it except over HTTP.
CREATE SCHEMA IF NOT EXISTS sandbox;

CREATE TABLE sandbox.tokens (
  token      text PRIMARY KEY,
  kind       text NOT NULL CHECK (kind IN ('access', 'refresh')),
  expires_at timestamptz NOT NULL
);

CREATE TABLE sandbox.invoices (
  id                uuid PRIMARY KEY,
  sender_invoice_no text NOT NULL,
  receiver_code     text NOT NULL,
  description       text NOT NULL,
  amount            numeric(18, 2) NOT NULL CHECK (amount > 0),
  callback_url      text NOT NULL,
  -- Its qr_text and its short address.
  qr_text           text NOT NULL,
  short_url         text NOT NULL,
  status            text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'CLOSED', 'CANCELED')),
  created_at        timestamptz NOT NULL
);
-- Not unique on purpose: the provider takes a repeated sender_invoice_no for a second invoice.
CREATE INDEX invoices_by_sender ON sandbox.invoices (sender_invoice_no text_pattern_ops);

CREATE TABLE sandbox.payments (
  id         text PRIMARY KEY,
  sequence   bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  invoice_id uuid NOT NULL REFERENCES sandbox.invoices (id),
  status     text NOT NULL,
  amount     numeric(18, 2) NOT NULL,
  currency   text NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('P2P', 'CARD')),
  paid_at    timestamptz NOT NULL
);
CREATE INDEX payments_by_invoice ON sandbox.payments (invoice_id, sequence);
CREATE INDEX payments_by_time ON sandbox.payments (paid_at, sequence);

-- What it was told to do on its next calls.
CREATE TABLE sandbox.behaviours (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operation text NOT NULL,
  remaining integer CHECK (remaining >= 0),
  told      jsonb NOT NULL
);

-- How it is until told otherwise: one row.
CREATE TABLE sandbox.manners (
  one  boolean PRIMARY KEY DEFAULT true CHECK (one),
  told jsonb NOT NULL DEFAULT '{}'
);

-- How often each operation was called, for the tests that count.
CREATE TABLE sandbox.calls (
  operation text PRIMARY KEY,
  count     integer NOT NULL
);

CREATE TABLE sandbox.deliveries (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id text NOT NULL REFERENCES sandbox.payments (id),
  outcome    text NOT NULL,
  at         timestamptz NOT NULL
);
CREATE INDEX deliveries_by_payment ON sandbox.deliveries (payment_id);
