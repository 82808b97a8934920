-- Takes from a database of the migrations in this folder what the baseline of 1.0 does not have: what served versions that ran beside
-- during their development, and two pairs of functions that became one each. db/migrate/carry-over.ts applies it after the last of them.

-- Instances of the version before may still write: their transactions lock these tables in any order. So this one waits for half a second,
-- which is less than Postgres takes to notice a deadlock, and tries again.
DO $$
DECLARE
  before text := current_setting('lock_timeout');
BEGIN
  PERFORM set_config('lock_timeout', '500ms', true);
  FOR try IN 1..120 LOOP
    BEGIN
      LOCK TABLE rooms.images, payments.invoices, payments.provider_problems, payments.payouts, escrow.hand_confirmations, identity.users
        IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF try = 120 THEN RAISE; END IF;
    END;
    PERFORM pg_sleep(0.05);
  END LOOP;
  PERFORM set_config('lock_timeout', before, true);
END $$;

-- Every version since 0038 writes a picture's moment.
DROP TRIGGER image_said_at ON rooms.images;
DROP FUNCTION rooms.image_said_at();
-- Since 0030 an approval names its claim, and its withdrawal ends it.
DROP TRIGGER payout_claimed ON payments.payouts;
DROP FUNCTION payments.payout_claimed();
-- Since 0049 an account's deletion removes its passkeys.
DROP TRIGGER forget_passkeys ON identity.users;
DROP FUNCTION identity.forget_passkeys();
-- Odd rows of the provider; 0039 and its trigger copied each of them to payments.holds.
DROP TABLE payments.provider_problems;
DROP FUNCTION payments.hold_for_problem();

-- One function each where a wrapper checked the caller and another function worked.
CREATE OR REPLACE FUNCTION base.make_partitions(parent regclass, since timestamptz, until timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  rest regclass;
  early record;
  anything boolean;
  quarter timestamptz := base.quarter_of(since);
  made integer := 0;
BEGIN
  PERFORM base.must_be_own(parent);
  PERFORM pg_advisory_xact_lock(hashtext('partitions'), parent::oid::integer);
  PERFORM set_config('lock_timeout', '500ms', true);
  SELECT part INTO rest FROM base.partitions_of(parent) AS p WHERE p.rest;
  SELECT * INTO early FROM base.partitions_of(parent) AS p WHERE p.lower IS NULL AND NOT p.rest;
  IF early.upper > quarter THEN
    -- Only a restore writes old rows, and it makes their partitions first.
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', early.part);
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', early.part) INTO anything;
    IF NOT anything THEN
      EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, early.part);
      EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L)', parent, early.part, quarter);
      until := greatest(until, early.upper);
    END IF;
  END IF;
  WHILE quarter < until LOOP
    IF NOT EXISTS (SELECT FROM base.partitions_of(parent) AS p
      WHERE NOT p.rest AND coalesce(p.lower, '-infinity') <= quarter AND p.upper > quarter)
    THEN
      BEGIN
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent,
          base.like_partition(rest, base.partition_name(parent, quarter)), quarter, base.quarter_after(quarter));
        made := made + 1;
      EXCEPTION WHEN check_violation THEN
        NULL; -- Rows of this quarter lie in the default partition, and stay there.
      END;
    END IF;
    quarter := base.quarter_after(quarter);
  END LOOP;
  RETURN made;
END $$;
DROP FUNCTION base.make_partitions_of(regclass, timestamptz, timestamptz);
CREATE OR REPLACE FUNCTION base.keep_partitions(parent regclass, ahead interval, OUT made integer, OUT taken bigint, OUT astray bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  until timestamptz := base.quarter_after(now() + ahead);
  rest regclass;
  first_at timestamptz;
  last_at timestamptz;
  upper timestamptz;
  hung record;
  hanging text[] := '{}';
BEGIN
  PERFORM base.must_be_own(parent);
  PERFORM pg_advisory_xact_lock(hashtext('partitions'), parent::oid::integer);
  PERFORM set_config('lock_timeout', '500ms', true);
  taken := 0;
  SELECT part INTO rest FROM base.partitions_of(parent) AS p WHERE p.rest;
  SELECT max(p.upper) INTO upper FROM base.partitions_of(parent) AS p;
  EXECUTE format('SELECT min(%1$I), max(%1$I), count(*) FROM %2$s', base.partition_key(parent), rest) INTO first_at, last_at, astray;
  IF astray > 0 AND first_at >= upper AND last_at < until THEN
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', parent);
    EXECUTE format('SELECT max(%I), count(*) FROM %s', base.partition_key(parent), rest) INTO last_at, taken;
    -- A partition cannot be detached while foreign keys refer to its rows.
    FOR hung IN
      SELECT conname, conrelid::regclass AS of, pg_get_constraintdef(oid) AS said FROM pg_constraint
      WHERE confrelid = parent AND conparentid = 0
    LOOP
      hanging := hanging || format('ALTER TABLE %s ADD CONSTRAINT %I %s', hung.of, hung.conname, hung.said);
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', hung.of, hung.conname);
    END LOOP;
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', parent, rest);
    EXECUTE format('ALTER TABLE %s RENAME TO %I', rest, base.partition_name(parent, upper));
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, rest, upper,
      base.quarter_after(last_at));
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s DEFAULT', parent,
      base.like_partition(rest, (SELECT relname || '_rest' FROM pg_class WHERE oid = parent)));
    FOR i IN 1..cardinality(hanging) LOOP
      EXECUTE hanging[i];
    END LOOP;
    astray := 0;
  END IF;
  made := base.make_partitions(parent, now(), until);
END $$;
DROP FUNCTION base.keep_partitions_of(regclass, interval);

-- An open proposal is no longer corrected in place.
CREATE OR REPLACE FUNCTION escrow.keep_proposed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE'
    AND (coalesce(NEW.trade_id, NEW.aside_of), NEW.proposed_by) = (coalesce(OLD.trade_id, OLD.aside_of), OLD.proposed_by)
    AND (NEW.amount, NEW.bank_reference, NEW.proposed_at) = (OLD.amount, OLD.bank_reference, OLD.proposed_at)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'proposal % keeps what was entered', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
-- Only a comment in it has gone.
CREATE OR REPLACE FUNCTION payments.payout_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  goes constant text[] := '{destination,reason,named_reason,salt,account_digest,erased_at}';
  before payments.payouts := OLD;
BEGIN
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
