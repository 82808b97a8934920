-- A booked payment that the provider no longer reports as paid holds its trade, whatever it says of it instead.
ALTER TABLE payments.holds DROP CONSTRAINT holds_reason_check, ADD CONSTRAINT holds_reason_check CHECK (reason IN (
  'WRONG_CURRENCY', 'FRACTIONAL_AMOUNT', 'ODD_ROW', 'UNKNOWN_STATUS', 'PAYMENT_REVERSED', 'PAYMENT_GONE', 'FOREIGN_INVOICE',
  'IMPLAUSIBLE_AMOUNT', 'PAYMENT_DIFFERS', 'SUM_CONTRADICTS', 'PAID_UNLISTED', 'PAYMENT_ANNOUNCED', 'CHECK_UNANSWERED',
  'SECOND_PAYMENT', 'DIFFERENCE', 'TRANSFER_IN_DOUBT', 'FRAUD_REPORT')) NOT VALID;
ALTER TABLE payments.holds VALIDATE CONSTRAINT holds_reason_check;

-- When the provider said that the payment is paid, since it was last reported otherwise: what people decided before says nothing of the
-- next such report.
ALTER TABLE payments.holds ADD COLUMN outdated_at timestamptz;

-- Whom the transfer of an approved or doubtful record was last taken over from: whoever took it over does not say alone that it was not made.
ALTER TABLE payments.payouts ADD COLUMN taken_over_from bigint;

-- That an account was corrected is never taken back: it is why its payment takes two people.
CREATE FUNCTION payments.payout_stays_corrected() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payouts: that the account of % was corrected stays', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER payout_stays_corrected BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (OLD.corrected_at IS NOT NULL AND NEW.corrected_at IS NULL)
  EXECUTE FUNCTION payments.payout_stays_corrected();
