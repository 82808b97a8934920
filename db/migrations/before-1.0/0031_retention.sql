-- The end of retention (specification §9). What is erased leaves what proves it was there: of an entry of the log the digest of
-- its line, of a trade its code, sums and moments.

-- An entry of the log that was erased: the digest that stands for it in its block, and the entry that recorded the erasing.
CREATE TABLE audit.erased (
  id bigint PRIMARY KEY,
  era integer NOT NULL,
  xid xid8 NOT NULL,
  line text NOT NULL CHECK (line ~ '^[0-9a-f]{64}$'),
  -- Named by the entry `log_erased` that has the digest of all its lines.
  batch uuid NOT NULL
);
CREATE INDEX erased_order ON audit.erased (era, xid, id);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit.erased
  FOR EACH ROW EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit.erased
  FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse();

-- An entry goes only once its digest is kept.
CREATE FUNCTION audit.refuse_unless_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM audit.erased e WHERE e.id = OLD.id AND e.era = OLD.era AND e.xid = OLD.xid) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'audit.% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER append_only ON audit.entries;
CREATE TRIGGER append_only BEFORE UPDATE ON audit.entries
  FOR EACH ROW EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER erased_first BEFORE DELETE ON audit.entries
  FOR EACH ROW EXECUTE FUNCTION audit.refuse_unless_erased();
-- Up to which block the log is old enough.
CREATE INDEX blocks_sealed ON audit.blocks (sealed_at);

-- Two years after its end a trade keeps its code, sums, moments and the ids of its people; what was said and given goes.
ALTER TABLE escrow.trades ADD COLUMN erased_at timestamptz,
  ADD CONSTRAINT trades_erased CHECK (
    erased_at IS NULL OR (ended_at IS NOT NULL AND description IS NULL AND hand_over_note IS NULL)
  );
CREATE INDEX trades_to_erase ON escrow.trades (ended_at) WHERE ended_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX support_requests_created ON escrow.support_requests (created_at);

-- Where money went stays known by the bank's number; whose account it was is erased.
ALTER TABLE payments.payouts ADD COLUMN erased_at timestamptz,
  DROP CONSTRAINT payouts_approval,
  ADD CONSTRAINT payouts_approval CHECK (
    CASE state
      WHEN 'due' THEN approved_at IS NULL AND approved_by IS NULL
      WHEN 'void' THEN (approved_at IS NULL) = (approved_by IS NULL)
      ELSE approved_at IS NOT NULL AND approved_by IS NOT NULL AND (destination IS NOT NULL) = (erased_at IS NULL)
    END
  ),
  ADD CONSTRAINT payouts_erased CHECK (erased_at IS NULL OR (destination IS NULL AND state IN ('sent', 'done', 'void')));
CREATE INDEX mail_ended ON mailer.messages (ended_at) WHERE ended_at IS NOT NULL;

-- Erasing is the one change of a record that is over, and changes nothing else of it.
CREATE FUNCTION payments.payout_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(NEW) - '{destination,erased_at}'::text[] IS DISTINCT FROM to_jsonb(OLD) - '{destination,erased_at}'::text[] THEN
    RAISE EXCEPTION '% % keeps what was decided', NEW.kind, NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_frozen';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER payout_changed ON payments.payouts;
CREATE TRIGGER payout_begun BEFORE INSERT ON payments.payouts
  FOR EACH ROW EXECUTE FUNCTION payments.payout_changed();
CREATE TRIGGER payout_changed BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL)) EXECUTE FUNCTION payments.payout_changed();
CREATE TRIGGER payout_erased BEFORE UPDATE ON payments.payouts FOR EACH ROW
  WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION payments.payout_erased();
