-- Two roles: the owner of all this, and the application's, which only uses it (db/access/grants.ts). What the application may not do itself is
-- done here by functions that run as their owner, with a fixed search_path and checks of their own. Where one role is both, all of it
-- works as before.
-- An older version survives it: it is the owner itself, and what it calls by the old names takes the same arguments.

-- Balances follow the entries, whoever inserts those.
ALTER FUNCTION payments.entries_posted() SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
-- A vault that is destroyed takes its key along.
ALTER FUNCTION escrow.keep_vault() SECURITY DEFINER SET search_path = pg_catalog, pg_temp;

-- A function that runs as its owner takes no table of anybody else's: that could carry the caller's code into it.
CREATE FUNCTION base.must_be_own(parent regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = parent AND relkind = 'p' AND relowner = current_user::regrole) THEN
    RAISE EXCEPTION '% is no partitioned table of %', parent, current_user USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;

ALTER FUNCTION base.make_partitions(regclass, timestamptz, timestamptz) RENAME TO make_partitions_of;
CREATE FUNCTION base.make_partitions(parent regclass, since timestamptz, until timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM base.must_be_own(parent);
  RETURN base.make_partitions_of(parent, since, until);
END $$;

ALTER FUNCTION base.keep_partitions(regclass, interval) RENAME TO keep_partitions_of;
CREATE FUNCTION base.keep_partitions(parent regclass, ahead interval, OUT made integer, OUT taken bigint, OUT astray bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM base.must_be_own(parent);
  SELECT k.made, k.taken, k.astray INTO made, taken, astray FROM base.keep_partitions_of(parent, ahead) AS k;
END $$;

-- The planner learns of a partitioned table as a whole by this alone.
CREATE FUNCTION base.analyze_partitioned(parent regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM base.must_be_own(parent);
  EXECUTE format('ANALYZE %s', parent);
END $$;

-- Erases entries of the log, named by id and moment, with their traces. Each must have its digest in audit.erased (a trigger refuses it
-- otherwise), lie in a sealed block, be older than traces are kept, tell of no money, and be none that
-- records are compared with.
CREATE FUNCTION audit.erase_entries(gone jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  wrong bigint;
  erased bigint;
BEGIN
  SELECT e.id INTO wrong FROM audit.entries e JOIN jsonb_to_recordset(gone) AS g (id bigint, at timestamptz) ON e.id = g.id AND e.at = g.at
    WHERE e.at > now() - interval '30 days' OR e.subject_kind IN ('transaction', 'payout', 'refund')
      OR e.action ~ '^(transaction|payout|refund|payment|invoice|money|reconciliation|settlement|deadlines|hold|journal|info_confirmed|admin_(created|granted|revoked)|user_deleted|(trades|transfers|administrators)_digested)'
      OR (e.era, e.xid) >= (SELECT b.to_era, b.to_xid FROM audit.blocks b ORDER BY b.n DESC LIMIT 1)
    LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'audit.entries: entry % is not to be erased', wrong USING ERRCODE = 'restrict_violation';
  END IF;
  DELETE FROM audit.traces t USING jsonb_to_recordset(gone) AS g (id bigint, at timestamptz) WHERE t.entry_id = g.id;
  DELETE FROM audit.entries e USING jsonb_to_recordset(gone) AS g (id bigint, at timestamptz) WHERE e.id = g.id AND e.at = g.at;
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END $$;

-- Erases addresses and devices: of one person, or those older than a moment, or both. Of everybody only what is a month old (29 days, as
-- clocks differ).
CREATE FUNCTION audit.scrub_traces(of_user bigint, older_than timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  scrubbed bigint;
BEGIN
  IF of_user IS NULL AND older_than IS NULL THEN
    RAISE EXCEPTION 'audit.traces: whose, or older than what, must be said' USING ERRCODE = 'restrict_violation';
  END IF;
  DELETE FROM audit.traces t
    WHERE (of_user IS NULL OR t.entry_id IN (SELECT e.id FROM audit.entries e WHERE e.user_id = of_user))
      AND (older_than IS NULL OR t.at < older_than)
      AND (of_user IS NOT NULL OR t.at < now() - interval '29 days');
  GET DIAGNOSTICS scrubbed = ROW_COUNT;
  RETURN scrubbed;
END $$;

REVOKE EXECUTE ON FUNCTION base.make_partitions(regclass, timestamptz, timestamptz), base.keep_partitions(regclass, interval),
  base.analyze_partitioned(regclass), audit.erase_entries(jsonb), audit.scrub_traces(bigint, timestamptz) FROM PUBLIC;

-- A correction undoes what was posted for a payout or a refund that was found not sent, or for a payment of which a hold's resolution says
-- that the provider took it back or that it is the money of a manual confirmation; nothing else.
CREATE FUNCTION payments.correction_known() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM payments.journals c JOIN payments.payouts p ON p.id = c.payout_id
    WHERE c.id = NEW.corrects AND p.state = 'void' AND p.sent_at IS NOT NULL
  ) AND NOT EXISTS (
    SELECT FROM payments.journals c JOIN payments.payments p ON p.id = c.payment_id JOIN payments.holds h ON h.reference = p.reference
    WHERE c.id = NEW.corrects AND h.facts ->> 'paymentId' = p.id::text
      AND h.outcome = CASE WHEN p.taken_back_at IS NOT NULL THEN 'taken_back' WHEN p.same_as IS NOT NULL THEN 'same_payment' END
  ) THEN
    RAISE EXCEPTION 'journal % corrects neither a transfer found not sent nor a payment found undone', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'correction_known';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER known_correction AFTER INSERT ON payments.journals DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.corrects IS NOT NULL) EXECUTE FUNCTION payments.correction_known();
