-- A person who deletes their account leaves the account that money was sent to, as its proof, and no telephone beside it.

-- Besides erasing, this is the one change of a record that was sent: the telephone alone goes from its destination.
CREATE FUNCTION payments.payout_loses_phone(before payments.payouts, after payments.payouts) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    before.state IN ('sent', 'done') AND before.destination ? 'phone' AND after.destination = before.destination - 'phone'
      AND to_jsonb(after) - 'destination' = to_jsonb(before) - 'destination',
    false
  )
$$;
DROP TRIGGER payout_changed ON payments.payouts;
CREATE TRIGGER payout_changed BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) AND NOT payments.payout_loses_phone(OLD, NEW))
  EXECUTE FUNCTION payments.payout_changed();
