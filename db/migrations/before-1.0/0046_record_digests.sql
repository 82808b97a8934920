-- Trades, transfers, holds and administrators are in the chain: each entry of the log that tells of one also holds the digest of its row
-- as it stood then, so that a row which is altered beside the log is named.
-- An older version survives it: it names no new column, and what it records without a digest waits for the next start's catch-up.

-- As in 0038: who waits here must not make a deadlock with transactions of an older version.
DO $$
DECLARE
  before text := current_setting('lock_timeout');
BEGIN
  PERFORM set_config('lock_timeout', '500ms', true);
  FOR try IN 1..120 LOOP
    BEGIN
      LOCK TABLE escrow.trades, payments.payouts, payments.holds IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF try = 120 THEN RAISE; END IF;
    END;
    PERFORM pg_sleep(0.05);
  END LOOP;
  PERFORM set_config('lock_timeout', before, true);
END $$;

-- A digest tells nothing of words and accounts without the salt, which goes when they are erased. Its default is another for each row, so
-- that these tables are written anew here: some seconds for each 100,000 rows.
ALTER TABLE escrow.trades
  ADD COLUMN salt bytea DEFAULT uuid_send(gen_random_uuid()) CONSTRAINT trades_salt CHECK (octet_length(salt) = 16);
-- account_digest: of the account, once it is erased, so that the digest of the record stays what it was, whoever erased it.
ALTER TABLE payments.payouts
  ADD COLUMN salt bytea DEFAULT uuid_send(gen_random_uuid()) CONSTRAINT payouts_salt CHECK (octet_length(salt) = 16),
  ADD COLUMN account_digest text NOT NULL DEFAULT ''
    CONSTRAINT payouts_account_digest CHECK (account_digest = '' OR (account_digest ~ '^[0-9a-f]{64}$' AND erased_at IS NOT NULL));

-- facts_digest: of a closed hold's facts, once they are erased.
ALTER TABLE payments.holds
  ADD COLUMN salt bytea DEFAULT uuid_send(gen_random_uuid()) CONSTRAINT holds_salt CHECK (octet_length(salt) = 16),
  ADD COLUMN facts_digest text NOT NULL DEFAULT ''
    CONSTRAINT holds_facts_digest CHECK (facts_digest = '' OR (facts_digest ~ '^[0-9a-f]{64}$' AND closed_at IS NOT NULL));

CREATE FUNCTION escrow.trade_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.salt := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER trade_erased BEFORE UPDATE ON escrow.trades FOR EACH ROW
  WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION escrow.trade_erased();

-- The digest of a record's account; what it was before once that is erased; null where none was ever named.
CREATE FUNCTION payments.account_digest(p payments.payouts) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p.destination IS NULL THEN nullif(p.account_digest, '')
    ELSE base.digest_of(ARRAY[encode(p.salt, 'hex'), p.destination->>'bankName', p.destination->>'accountName',
      p.destination->>'accountNumber', p.destination->>'iban']) END
$$;

CREATE OR REPLACE FUNCTION payments.payout_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  goes constant text[] := '{destination,reason,named_reason,salt,account_digest,erased_at}';
  before payments.payouts := OLD;
BEGIN
  -- An older version that runs beside leaves the reasons where they are, and knows neither salt nor digest.
  NEW.reason := NULL;
  NEW.named_reason := NULL;
  NEW.salt := NULL;
  NEW.account_digest := coalesce(payments.account_digest(before), '');
  IF to_jsonb(NEW) - goes IS DISTINCT FROM to_jsonb(OLD) - goes THEN
    RAISE EXCEPTION '% % keeps what was decided', NEW.kind, NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_frozen';
  END IF;
  RETURN NEW;
END $$;

-- The digest of a hold's facts but for a person's note; what it was before once they are erased; null where there never were any.
CREATE FUNCTION payments.facts_digest(h payments.holds) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN h.facts - 'note' = '{}' THEN nullif(h.facts_digest, '')
    ELSE base.digest_of(ARRAY[encode(h.salt, 'hex'), (h.facts - 'note')::text]) END
$$;

CREATE FUNCTION payments.hold_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before payments.holds := OLD;
BEGIN
  NEW.facts_digest := payments.facts_digest(before);
  NEW.salt := NULL;
  RETURN NEW;
END $$;
-- Only what is closed is erased: whoever empties the facts of an open hold alters it.
CREATE TRIGGER hold_erased BEFORE UPDATE ON payments.holds FOR EACH ROW
  WHEN (OLD.closed_at IS NOT NULL AND OLD.facts - 'note' <> '{}' AND NEW.facts - 'note' = '{}') EXECUTE FUNCTION payments.hold_erased();

-- Each digest begins with the number of its form: when a later version covers more, those of today are still worked out as today.

CREATE INDEX hand_confirmations_of ON escrow.hand_confirmations ((coalesce(trade_id, aside_of)));

-- Form 1 of a trade: its row with its steps and disputes, what was proposed and confirmed by two, and what its sides gave; not hidden_at, on_hold_since and updated_at, nor who has taken a dispute.
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

-- Form 1 of a transfer's record; not due_at (moved when Midman was down), the reasons and the telephone, which may go before the account does.
CREATE FUNCTION payments.payout_digest(p payments.payouts) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT '1:' || base.digest_of(ARRAY['midman-transfer', p.id::text, p.reference::text, p.kind, p.source, p.amount::text, p.fee::text, p.state,
    p.recipient_id::text, payments.account_digest(p),
    p.named_by::text, base.moment_text(p.named_at), base.moment_text(p.corrected_at), base.moment_text(p.created_at),
    p.first_approved_by::text, base.moment_text(p.first_approved_at), p.approved_by::text, base.moment_text(p.approved_at),
    p.four_eyes::text, p.claimed_by::text, p.taken_over_from::text, base.moment_text(p.claimed_at), p.sent_by::text,
    base.moment_text(p.sent_at), p.bank_reference, p.reference_missing::text, p.reported_by::text, base.moment_text(p.reported_at),
    p.reported_reference, p.done_by::text, base.moment_text(p.done_at), p.unknown_by::text, base.moment_text(p.unknown_at),
    p.voided_by::text, base.moment_text(p.voided_at), p.replaces::text])
$$;

-- Form 1 of a hold; not told_at, nor the notes, which are erased.
CREATE FUNCTION payments.hold_digest(h payments.holds) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT '1:' || base.digest_of(ARRAY['midman-hold', h.id::text, h.reference::text, h.reason, h.subject, h.figures, payments.facts_digest(h),
    base.moment_text(h.opened_at), h.opened_by::text, h.proposed_outcome, h.proposed_by::text, base.moment_text(h.proposed_at), base.moment_text(h.closed_at), h.outcome,
    h.closed_by::text, base.moment_text(h.outdated_at)])
$$;
