-- Two more promises of time: the seller's to confirm after the buyer, and the buyer's to name a refund's account.
ALTER TABLE escrow.deadlines DROP CONSTRAINT deadlines_kind_check, ADD CONSTRAINT deadlines_kind_check CHECK (
  kind IN ('payment_window', 'hand_over', 'buyer_finish', 'admin_review', 'seller_finish', 'payout', 'refund_account',
    'dispute_statements', 'dispute_ruling')
);

-- Whoever is waited for already gets the whole of it from now on; in a dispute the seller's stands.
INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at, next_at, paused_at)
SELECT id, 'seller_finish', CASE WHEN halted THEN 'paused' ELSE 'running' END, now(), now() + interval '12 hours',
  CASE WHEN NOT halted THEN now() + interval '6 hours' END, CASE WHEN halted THEN now() END
FROM escrow.trades, LATERAL (VALUES (status = 'disputed')) AS dispute (halted)
WHERE status = 'exchange_completed' OR disputed_from = 'exchange_completed';

INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at, next_at)
SELECT id, 'refund_account', 'running', now(), now() + interval '24 hours', now() + interval '18 hours'
FROM escrow.trades WHERE id IN (
  SELECT reference FROM payments.payouts WHERE kind = 'refund' AND state = 'due' AND destination IS NULL);
