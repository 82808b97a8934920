-- Messages and the log in partitions, a quarter of a year each (docs/decisions/0063). What stands becomes the first
-- partition as it lies: no row is written anew.
-- An older version survives it: it names no partition, reads and writes the same columns of the same tables, and what it does not
-- say (a picture's moment) a trigger looks up; who waits for a lock here waits as long as a check reads (db/migrate.older.test.ts).

-- Rows may be written by an older version beside. Its transactions take these tables in any order, so one that is waited for is let go
-- after half a second, before any side is told of a deadlock (deadlock_timeout, a second), and everything is tried again.
DO $$
DECLARE
  before text := current_setting('lock_timeout');
BEGIN
  PERFORM set_config('lock_timeout', '500ms', true);
  FOR try IN 1..120 LOOP
    BEGIN
      LOCK TABLE rooms.counters IN SHARE ROW EXCLUSIVE MODE;
      LOCK TABLE rooms.messages, rooms.images, audit.entries, audit.traces IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF try = 120 THEN RAISE; END IF;
    END;
    PERFORM pg_sleep(0.05);
  END LOOP;
  PERFORM set_config('lock_timeout', before, true);
END $$;

-- The quarter of a moment, in the world's time whatever the session's: where it begins, and where the next one does.
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

-- The column a table is parted by.
CREATE FUNCTION base.partition_key(parent regclass) RETURNS text
LANGUAGE sql STABLE AS $$ SELECT substring(pg_get_partkeydef(parent) FROM '\((.+)\)') $$;

-- Triggers of statements are of one table alone: a new partition gets those of another.
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

-- What the partition that begins with a quarter is called.
CREATE FUNCTION base.partition_name(parent regclass, quarter timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT relname || to_char(quarter AT TIME ZONE 'UTC', '_YYYY"q"Q') FROM pg_class WHERE oid = parent
$$;

-- A table like another partition, with its indexes and triggers, in no place yet.
CREATE FUNCTION base.like_partition(model regclass, name text) RETURNS regclass LANGUAGE plpgsql AS $$
DECLARE
  made text := format('%I.%I', (SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = model), name);
BEGIN
  EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY)', made, model);
  PERFORM base.copy_statement_triggers(model, made::regclass);
  RETURN made::regclass;
END $$;

-- Makes the partitions that are missing for the quarters between two moments, and answers how many. The first partition, which has
-- no beginning, ends sooner if nothing lies in it. Waits half a second at most for whoever uses the tables: then it fails, and may be
-- called again. One caller at a time; the others find the work done.
CREATE FUNCTION base.make_partitions(parent regclass, since timestamptz, until timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  rest regclass;
  early record;
  anything boolean;
  quarter timestamptz := base.quarter_of(since);
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('partitions'), parent::oid::integer);
  PERFORM set_config('lock_timeout', '500ms', true);
  SELECT part INTO rest FROM base.partitions_of(parent) AS p WHERE p.rest;
  SELECT * INTO early FROM base.partitions_of(parent) AS p WHERE p.lower IS NULL AND NOT p.rest;
  IF early.upper > quarter THEN
    -- Nobody writes what is looked for meanwhile: what is old comes from a restore alone, which asks for its partitions first.
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

-- Keeps partitions ahead of the clock of the database. What came while there was none for it lies in the default one, which then
-- becomes the partition that was missing, as it lies: rows of the log cannot be moved, nor rows that others hang on. `taken` is how
-- many those were, `astray` how many stay in the default one since no partition may hold them: later than all that is
-- made ahead, or of a time whose partition was taken away.
CREATE FUNCTION base.keep_partitions(parent regclass, ahead interval, OUT made integer, OUT taken bigint, OUT astray bigint)
LANGUAGE plpgsql AS $$
DECLARE
  until timestamptz := base.quarter_after(now() + ahead);
  rest regclass;
  first_at timestamptz;
  last_at timestamptz;
  upper timestamptz;
  hung record;
  hanging text[] := '{}';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('partitions'), parent::oid::integer);
  PERFORM set_config('lock_timeout', '500ms', true);
  taken := 0;
  SELECT part INTO rest FROM base.partitions_of(parent) AS p WHERE p.rest;
  SELECT max(p.upper) INTO upper FROM base.partitions_of(parent) AS p;
  EXECUTE format('SELECT min(%1$I), max(%1$I), count(*) FROM %2$s', base.partition_key(parent), rest) INTO first_at, last_at, astray;
  IF astray > 0 AND first_at >= upper AND last_at < until THEN
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', parent);
    EXECUTE format('SELECT max(%I), count(*) FROM %s', base.partition_key(parent), rest) INTO last_at, taken;
    -- What hangs on rows of a partition would keep it from being taken out.
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

-- The messages. Their table keeps its checks; its key gets the moment, without which no key may be.
ALTER TABLE rooms.images DROP CONSTRAINT images_message_id_fkey;
ALTER TABLE rooms.messages DROP CONSTRAINT messages_pkey, ADD PRIMARY KEY (id, created_at);
ALTER TABLE rooms.messages RENAME CONSTRAINT messages_pkey TO messages_earlier_pkey;
ALTER TABLE rooms.messages RENAME CONSTRAINT messages_room_seq_key TO messages_earlier_room_seq_key;
ALTER TABLE rooms.messages RENAME CONSTRAINT messages_room_client_key TO messages_earlier_room_client_key;
ALTER TABLE rooms.messages RENAME TO messages_earlier;
CREATE TABLE rooms.messages (LIKE rooms.messages_earlier INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
  PARTITION BY RANGE (created_at);
ALTER TABLE rooms.messages
  ADD PRIMARY KEY (id, created_at),
  ADD CONSTRAINT messages_room_id_fkey FOREIGN KEY (room_id) REFERENCES rooms.counters (room_id) ON DELETE CASCADE;

-- The log. Each index of it is one of every partition.
ALTER TABLE audit.traces DROP CONSTRAINT traces_entry_id_fkey;
ALTER TABLE audit.entries DROP CONSTRAINT entries_pkey, ADD PRIMARY KEY (id, at);
ALTER TABLE audit.entries RENAME CONSTRAINT entries_pkey TO entries_earlier_pkey;
ALTER INDEX audit.entries_order RENAME TO entries_earlier_order;
ALTER INDEX audit.entries_newest RENAME TO entries_earlier_newest;
ALTER INDEX audit.entries_newest_of_user RENAME TO entries_earlier_newest_of_user;
ALTER INDEX audit.entries_newest_of_room RENAME TO entries_earlier_newest_of_room;
ALTER INDEX audit.entries_newest_of_action RENAME TO entries_earlier_newest_of_action;
ALTER INDEX audit.entries_of_money RENAME TO entries_earlier_of_money;
DROP TRIGGER append_only ON audit.entries;
DROP TRIGGER erased_first ON audit.entries;
ALTER TABLE audit.entries RENAME TO entries_earlier;
CREATE TABLE audit.entries (LIKE audit.entries_earlier INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (at);
ALTER TABLE audit.entries ADD PRIMARY KEY (id, at);
CREATE INDEX entries_order ON audit.entries (era, xid, id);
CREATE INDEX entries_newest ON audit.entries (at DESC, id DESC);
CREATE INDEX entries_newest_of_user ON audit.entries (user_id, at DESC, id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX entries_newest_of_room ON audit.entries (room_id, at DESC, id DESC) WHERE room_id IS NOT NULL;
CREATE INDEX entries_newest_of_action ON audit.entries (action, at DESC, id DESC);
CREATE INDEX entries_of_money ON audit.entries (subject_kind, subject_id, at DESC, id DESC)
  WHERE subject_kind IN ('transaction', 'payout', 'refund');
CREATE TRIGGER append_only BEFORE UPDATE ON audit.entries FOR EACH ROW EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER erased_first BEFORE DELETE ON audit.entries FOR EACH ROW EXECUTE FUNCTION audit.refuse_unless_erased();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit.entries FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse();

-- The log in its order from a place on, and without what comes after another: entries, and what is left of those that were erased. Of rows
-- compared as wholes the planner knows the first column alone, and all entries are of one era: it takes them for few, and would sort all of
-- them for each batch. Forbidden to sort it reads each partition's index side by side.
CREATE FUNCTION audit.entries_after(after_era integer, after_xid xid8, after_id bigint, to_era integer, to_xid xid8, most integer)
RETURNS TABLE (id bigint, era integer, xid xid8, entry audit.entries)
LANGUAGE plpgsql STABLE SET enable_sort = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT * FROM (
    (SELECT e.id, e.era, e.xid, e FROM audit.entries e
      WHERE (e.era, e.xid, e.id) > (after_era, after_xid, after_id) AND (e.era, e.xid) < (to_era, to_xid)
      ORDER BY e.era, e.xid, e.id LIMIT most)
    UNION ALL
    (SELECT g.id, g.era, g.xid, NULL FROM audit.erased g
      WHERE (g.era, g.xid, g.id) > (after_era, after_xid, after_id) AND (g.era, g.xid) < (to_era, to_xid)
      ORDER BY g.era, g.xid, g.id LIMIT most)
  ) AS places ORDER BY era, xid, id LIMIT most;
END $$;

-- The numbers go on where they were; what stands ends with its quarter or, where nothing stands, with the last one.
DO $$
DECLARE
  parent text;
  early text;
  key text;
  number bigint;
  given boolean;
  newest timestamptz;
BEGIN
  FOREACH parent IN ARRAY ARRAY['rooms.messages', 'audit.entries'] LOOP
    early := parent || '_earlier';
    key := base.partition_key(parent::regclass);
    EXECUTE format('SELECT last_value, is_called FROM %s', pg_get_serial_sequence(early, 'id')) INTO number, given;
    EXECUTE format('ALTER TABLE %s ALTER id DROP IDENTITY', early);
    EXECUTE format('ALTER TABLE %s ALTER id ADD GENERATED ALWAYS AS IDENTITY', parent);
    PERFORM setval(pg_get_serial_sequence(parent, 'id'), number, given);
    EXECUTE format('SELECT max(%I) FROM %s', key, early) INTO newest;
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L)', parent, early,
      CASE WHEN newest IS NULL THEN base.quarter_of(now()) ELSE base.quarter_after(greatest(newest, now())) END);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s DEFAULT', parent,
      base.like_partition(early::regclass, split_part(parent, '.', 2) || '_rest'));
  END LOOP;
END $$;

-- Of a picture also its message's moment: with it the picture hangs on the message. An older version that runs beside does not say it.
ALTER TABLE rooms.images ADD COLUMN message_at timestamptz;
UPDATE rooms.images i SET message_at = m.created_at FROM rooms.messages m WHERE m.id = i.message_id;
ALTER TABLE rooms.images ALTER message_at SET NOT NULL,
  ADD CONSTRAINT images_message_fkey FOREIGN KEY (message_id, message_at) REFERENCES rooms.messages (id, created_at)
    ON DELETE CASCADE;
CREATE FUNCTION rooms.image_said_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.message_at := (SELECT created_at FROM rooms.messages WHERE id = NEW.message_id);
  RETURN NEW;
END $$;
CREATE TRIGGER image_said_at BEFORE INSERT ON rooms.images
  FOR EACH ROW WHEN (NEW.message_at IS NULL) EXECUTE FUNCTION rooms.image_said_at();

-- A trace has the moment of its entry. What hung on the entry's number alone hangs on both now.
ALTER TABLE audit.traces ADD CONSTRAINT traces_entry_fkey FOREIGN KEY (entry_id, at) REFERENCES audit.entries (id, at);

-- A message stands once in its room, by its `seq` and by its sender's id of it: within a partition by its unique indexes, beyond it by this.
-- A room that began in the quarter of its message has none elsewhere; of an older one the counter is held while the others are
-- looked through, as whoever sends holds it already. No message is more than a day older than its room, or younger than its counter
-- says that it was active, so that reading may leave out what lies before and after (clocks differ a little; a day is more than
-- they may).
CREATE FUNCTION rooms.message_stands_once() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  since timestamptz;
  till timestamptz;
BEGIN
  SELECT r.created_at - interval '1 day', c.active_at + interval '1 day' INTO since, till
    FROM rooms.counters c JOIN rooms.rooms r ON r.id = c.room_id WHERE c.room_id = NEW.room_id;
  IF NEW.created_at < since THEN
    RAISE EXCEPTION 'message % of room % is older than the room', NEW.seq, NEW.room_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'messages_since_room';
  END IF;
  IF NEW.created_at > till THEN UPDATE rooms.counters SET active_at = NEW.created_at WHERE room_id = NEW.room_id; END IF;
  IF since >= base.quarter_of(NEW.created_at) AND now() < base.quarter_after(NEW.created_at) THEN RETURN NEW; END IF;
  PERFORM FROM rooms.counters WHERE room_id = NEW.room_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM rooms.messages m WHERE m.room_id = NEW.room_id AND m.created_at >= since AND m.seq = NEW.seq) THEN
    RAISE EXCEPTION 'room % has a message % already', NEW.room_id, NEW.seq
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'messages_room_seq_key';
  END IF;
  IF EXISTS (SELECT FROM rooms.messages m
    WHERE m.room_id = NEW.room_id AND m.created_at >= since AND m.client_id = NEW.client_id)
  THEN
    RAISE EXCEPTION 'room % has a message of client id % already', NEW.room_id, NEW.client_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'messages_room_client_key';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER stands_once BEFORE INSERT ON rooms.messages
  FOR EACH ROW EXECUTE FUNCTION rooms.message_stands_once();

UPDATE rooms.counters c SET active_at = m.newest
  FROM (SELECT room_id, max(created_at) AS newest FROM rooms.messages GROUP BY room_id) m
  WHERE m.room_id = c.room_id AND m.newest > c.active_at + interval '1 day';

SELECT base.keep_partitions('rooms.messages', interval '1 year'), base.keep_partitions('audit.entries', interval '1 year');
