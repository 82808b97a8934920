-- Who is making the transfer of an approved payout or refund, and since when. An approval that is taken back takes it along.
ALTER TABLE payments.payouts
  ADD COLUMN claimed_by bigint,
  ADD COLUMN claimed_at timestamptz,
  ADD CONSTRAINT payouts_claim CHECK ((claimed_by IS NULL) = (claimed_at IS NULL) AND (state <> 'due' OR claimed_by IS NULL));
