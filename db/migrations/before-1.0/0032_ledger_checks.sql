-- What came of each verification of the whole ledger: its figures in tugrik and, where it is not whole, what was found.
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
  -- Of each proof that failed its code, how many things break it and the first few of their names.
  problems jsonb,
  CHECK (ok = (problems IS NULL))
);
