-- What waits for administrators, each looked up by its own index and no further than is shown.
CREATE INDEX disputes_open ON escrow.disputes (opened_at, id) WHERE outcome IS NULL;
CREATE INDEX hand_confirmations_waiting ON escrow.hand_confirmations (proposed_at, id) WHERE confirmed_at IS NULL;

-- A mail that failed waits until somebody has dealt with it.
ALTER TABLE mailer.messages ADD COLUMN dealt_at timestamptz, ADD COLUMN dealt_by bigint,
  ADD CONSTRAINT messages_dealt CHECK (
    (dealt_at IS NULL) = (dealt_by IS NULL) AND (dealt_at IS NULL OR state = 'failed')
  );
CREATE INDEX messages_failed ON mailer.messages (ended_at, id) WHERE state = 'failed' AND dealt_at IS NULL;

-- The figures of days that are over, so that nobody counts all trades to show them. A day is Mongolian. `payout_seconds`
-- is how long sellers waited together, from the moment both had confirmed to the transfer. Written once.
CREATE TABLE escrow.day_figures (
  day            date PRIMARY KEY,
  trades         integer NOT NULL CHECK (trades >= 0),
  paid           integer NOT NULL CHECK (paid >= 0),
  volume         bigint NOT NULL CHECK (volume >= 0),
  fees           bigint NOT NULL,
  payouts        integer NOT NULL CHECK (payouts >= 0),
  payout_seconds bigint NOT NULL CHECK (payout_seconds >= 0)
);
CREATE INDEX trades_confirmed ON escrow.trades (confirmed_at) INCLUDE (amount) WHERE confirmed_at IS NOT NULL;
CREATE INDEX trades_hidden ON escrow.trades (id) INCLUDE (amount, confirmed_at) WHERE hidden_at IS NOT NULL;
CREATE INDEX journals_fees ON payments.journals (at) WHERE kind IN ('payout', 'refund', 'correction');
