-- What every module builds on: throttles, the heartbeat, what the database knows of its instances, and functions for partitions and
-- digests.
CREATE SCHEMA base;

-- Until when each key has used up its allowance. A crash that loses the rows only forgives attempts, so the table is not logged.
CREATE UNLOGGED TABLE base.throttle (
  key text PRIMARY KEY,
  spent_until timestamptz NOT NULL
);
CREATE INDEX throttle_spent_until ON base.throttle (spent_until);

-- When any instance last said that it runs. One row, so that only one instance claims a gap.
CREATE TABLE base.heartbeat (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  beat_at timestamptz NOT NULL
);

-- Which keys this database was used with: Midman refuses to start with another one.
CREATE TABLE base.encryption_keys (
  -- An HMAC of a constant under the key: it distinguishes keys and reveals nothing of them.
  fingerprint text PRIMARY KEY CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  used_since timestamptz NOT NULL
);

-- Under which name people reach the instances that serve this database. Each start writes it, so that a command on the wrong database
-- is noticed.
CREATE TABLE base.instance (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  public_url text NOT NULL CHECK (char_length(public_url) BETWEEN 1 AND 2000),
  version text NOT NULL CHECK (char_length(version) BETWEEN 1 AND 100),
  started_at timestamptz NOT NULL
);

-- A restore has two steps: one transaction fills the database, then Midman repeats the erasures made since the backup. Until the second
-- step has ended a row is here, and the server and all commands refuse the database.
CREATE TABLE base.unfinished_restore (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  begun_at timestamptz NOT NULL
);

-- Digests.

-- SHA-256 over the fields as a JSON array without spaces: what JSON.stringify of the same texts writes.
CREATE FUNCTION base.digest_of(fields text[]) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT encode(sha256(convert_to(array_to_json(fields)::text, 'UTF8')), 'hex') $$;
-- A moment as digests spell it.
CREATE FUNCTION base.moment_text(at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN isfinite(at) THEN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') ELSE at::text END $$;

-- Partitions: messages and the log are partitioned by time, a quarter of a year each (docs/decisions/0063). A partitioned table has a first
-- partition for all that is older, one for each quarter, and a default one for rows that came before their partition was made.

-- The quarter of a moment in UTC, whatever the session's time zone: where it begins, and where the next one does.
CREATE FUNCTION base.quarter_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT date_trunc('quarter', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' $$;
CREATE FUNCTION base.quarter_after(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT (date_trunc('quarter', at AT TIME ZONE 'UTC') + interval '3 months') AT TIME ZONE 'UTC' $$;

-- Which partitions a table has; `lower` of the first and both of the default one are null.
CREATE FUNCTION base.partitions_of(parent regclass)
RETURNS TABLE (part regclass, lower timestamptz, upper timestamptz, rest boolean)
LANGUAGE sql STABLE SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
  SELECT c.oid::regclass, substring(said FROM 'FROM \(''([^'']+)''\)')::timestamptz,
    substring(said FROM 'TO \(''([^'']+)''\)')::timestamptz, said = 'DEFAULT'
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) AS said
  WHERE i.inhparent = parent
$$;

-- The column a table is partitioned by.
CREATE FUNCTION base.partition_key(parent regclass) RETURNS text
LANGUAGE sql STABLE AS $$ SELECT substring(pg_get_partkeydef(parent) FROM '\((.+)\)') $$;

-- The name of the partition that begins with a quarter.
CREATE FUNCTION base.partition_name(parent regclass, quarter timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT relname || to_char(quarter AT TIME ZONE 'UTC', '_YYYY"q"Q') FROM pg_class WHERE oid = parent
$$;

-- A statement trigger belongs to one table only: a new partition gets those of another partition.
CREATE FUNCTION base.copy_statement_triggers(source regclass, target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made text;
BEGIN
  FOR made IN
    SELECT replace(pg_get_triggerdef(oid), format(' ON %s ', source), format(' ON %s ', target))
    FROM pg_trigger WHERE tgrelid = source AND NOT tgisinternal AND tgtype & 1 = 0
  LOOP
    EXECUTE made;
  END LOOP;
END $$;

-- A table like another partition, with its indexes and triggers, not yet attached.
CREATE FUNCTION base.like_partition(model regclass, name text) RETURNS regclass LANGUAGE plpgsql AS $$
DECLARE
  made text := format('%I.%I', (SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = model), name);
BEGIN
  EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY)', made, model);
  PERFORM base.copy_statement_triggers(model, made::regclass);
  RETURN made::regclass;
END $$;

-- The application's role owns no table (docs/decisions/0065). The functions below do for it what only the owner can do: they run as the
-- owner, with a fixed search_path. They refuse a table of anybody else, which could carry the caller's code into them.
CREATE FUNCTION base.must_be_own(parent regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = parent AND relkind = 'p' AND relowner = current_user::regrole) THEN
    RAISE EXCEPTION '% is no partitioned table of %', parent, current_user USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;

-- Makes the partitions that are missing for the quarters between two moments, and answers how many. The first partition ends sooner if
-- nothing lies in it. Waits at most half a second for transactions that use the tables: then it fails, and may be called again. One
-- caller at a time; the others find the work done.
CREATE FUNCTION base.make_partitions(parent regclass, since timestamptz, until timestamptz) RETURNS integer
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

-- Keeps partitions ahead of the database's clock. Rows that came before their partition was made lie in the default one. It becomes the
-- missing partition as it is, because rows of the log cannot be moved, nor rows that other rows refer to. `taken` is how many those were;
-- `astray` is how many stay in the default one because no partition may hold them: they are later than all that is made ahead, or their
-- partition was taken away.
CREATE FUNCTION base.keep_partitions(parent regclass, ahead interval, OUT made integer, OUT taken bigint, OUT astray bigint)
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

-- Updates the planner's statistics of a partitioned table as a whole, which nothing else does.
CREATE FUNCTION base.analyze_partitioned(parent regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM base.must_be_own(parent);
  EXECUTE format('ANALYZE %s', parent);
END $$;

REVOKE EXECUTE ON FUNCTION base.make_partitions(regclass, timestamptz, timestamptz), base.keep_partitions(regclass, interval),
  base.analyze_partitioned(regclass) FROM PUBLIC;
