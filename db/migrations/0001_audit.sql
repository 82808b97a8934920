-- The audit log: entries that are only ever added, sealed in a chain of blocks.
CREATE SCHEMA audit;

-- Raised by one each time the database is carried to a cluster whose transaction counter is behind (a restored dump), so that (era, xid)
-- only ever grows.
CREATE SEQUENCE audit.era AS integer;
SELECT nextval('audit.era');

CREATE FUNCTION audit.current_era() RETURNS integer
  LANGUAGE sql STABLE AS $$ SELECT last_value::integer FROM audit.era $$;

-- One row for each event, written in the event's transaction. (era, xid) says which block it belongs to.
CREATE TABLE audit.entries (
  id bigint GENERATED ALWAYS AS IDENTITY,
  era integer NOT NULL DEFAULT audit.current_era(),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  at timestamptz NOT NULL,
  user_id bigint,
  action text NOT NULL CHECK (action ~ '^[a-z][a-zA-Z0-9_.:-]{0,79}$'),
  room_id bigint,
  subject_kind text,
  subject_id text,
  data jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object'),
  trace text CHECK (trace ~ '^[0-9a-f]{64}$'),
  PRIMARY KEY (id, at),
  CHECK ((subject_kind IS NULL) = (subject_id IS NULL))
) PARTITION BY RANGE (at);

-- The order of the chain.
CREATE INDEX entries_order ON audit.entries (era, xid, id);
-- People read the log by time, newest first. Each of these orders serves one filter, with or without days, so that a page reads no
-- further than it shows.
CREATE INDEX entries_newest ON audit.entries (at DESC, id DESC);
CREATE INDEX entries_newest_of_user ON audit.entries (user_id, at DESC, id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX entries_newest_of_room ON audit.entries (room_id, at DESC, id DESC) WHERE room_id IS NOT NULL;
CREATE INDEX entries_newest_of_action ON audit.entries (action, at DESC, id DESC);
-- What happened to a trade and to its money, for the administrators' page of it; messages and connections are left out.
CREATE INDEX entries_of_money ON audit.entries (subject_kind, subject_id, at DESC, id DESC)
  WHERE subject_kind IN ('transaction', 'payout', 'refund');

-- A person's address and device, until they are erased. entries.trace = HMAC(key, ip and device); the key goes with the row, and after
-- that the hash reveals nothing.
CREATE TABLE audit.traces (
  entry_id bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  key bytea NOT NULL CHECK (octet_length(key) = 32),
  ip text,
  device text,
  CHECK (ip IS NOT NULL OR device IS NOT NULL),
  CONSTRAINT traces_entry_fkey FOREIGN KEY (entry_id, at) REFERENCES audit.entries (id, at)
);
CREATE INDEX traces_of_ip ON audit.traces (ip text_pattern_ops, entry_id DESC);
-- With the address, so that traces of an address and some days are counted without their entries.
CREATE INDEX traces_of_time ON audit.traces (at, ip);

-- The chain. A block holds every entry from (from_era, from_xid) up to, and without, (to_era, to_xid).
CREATE TABLE audit.blocks (
  n bigint PRIMARY KEY CHECK (n > 0),
  previous text NOT NULL UNIQUE CHECK (previous ~ '^[0-9a-f]{64}$'),
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  head text NOT NULL UNIQUE CHECK (head ~ '^[0-9a-f]{64}$'),
  from_era integer NOT NULL,
  from_xid xid8 NOT NULL,
  to_era integer NOT NULL,
  to_xid xid8 NOT NULL,
  first_id bigint NOT NULL,
  last_id bigint NOT NULL,
  entries bigint NOT NULL CHECK (entries > 0),
  sealed_at timestamptz NOT NULL,
  -- How the block was digested: 1, over the lines of its entries; 2, over the digests of the lines, so that one entry can be proved to
  -- somebody who must not read its neighbours.
  form smallint NOT NULL DEFAULT 1 CHECK (form IN (1, 2)),
  CHECK ((from_era, from_xid) < (to_era, to_xid)),
  CHECK (first_id <= last_id)
);
-- Which block an entry lies in: the first that ends after it.
CREATE INDEX blocks_end ON audit.blocks (to_era, to_xid);
-- Up to which block the log is old enough to be erased.
CREATE INDEX blocks_sealed ON audit.blocks (sealed_at);

-- An entry that was erased at the end of retention: the digest that replaces it in its block.
CREATE TABLE audit.erased (
  id bigint PRIMARY KEY,
  era integer NOT NULL,
  xid xid8 NOT NULL,
  line text NOT NULL CHECK (line ~ '^[0-9a-f]{64}$'),
  -- The entry `log_erased` names it, and has the digest of all its lines.
  batch uuid NOT NULL
);
CREATE INDEX erased_order ON audit.erased (era, xid, id);

-- The result of each verification of the whole chain. It proves nothing itself: who doubts it verifies again, offline.
CREATE TABLE audit.checks (
  at timestamptz PRIMARY KEY,
  ok boolean NOT NULL,
  -- The last block that was verified, or the first that is broken; 0 while nothing is sealed.
  block bigint NOT NULL CHECK (block >= 0),
  head text CHECK (head ~ '^[0-9a-f]{64}$'),
  entries bigint CHECK (entries >= 0),
  reason text,
  CHECK (ok = (head IS NOT NULL) AND ok = (entries IS NOT NULL) AND ok = (reason IS NULL))
);

-- Heads of the chain that a verification saw, or that were sent to a place outside (`sent_to`). The chain must hold each of them, so that
-- a chain that was rewritten as a whole does not pass.
CREATE TABLE audit.heads (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  block bigint NOT NULL CHECK (block > 0),
  head text NOT NULL CHECK (head ~ '^[0-9a-f]{64}$'),
  sent_to text
);
CREATE INDEX heads_sent ON audit.heads (sent_to, id DESC) WHERE sent_to IS NOT NULL;

-- The place that heads could not be sent to, since when and why; no row while all is well.
CREATE TABLE audit.anchor_failures (
  place text PRIMARY KEY,
  since timestamptz NOT NULL,
  tried_at timestamptz NOT NULL,
  reason text NOT NULL
);

CREATE FUNCTION audit.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit.% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

-- An entry goes only after its digest is kept.
CREATE FUNCTION audit.refuse_unless_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM audit.erased e WHERE e.id = OLD.id AND e.era = OLD.era AND e.xid = OLD.xid) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'audit.% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER append_only BEFORE UPDATE ON audit.entries FOR EACH ROW EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER erased_first BEFORE DELETE ON audit.entries FOR EACH ROW EXECUTE FUNCTION audit.refuse_unless_erased();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit.entries FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit.blocks FOR EACH ROW EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit.blocks FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit.erased FOR EACH ROW EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit.erased FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit.heads FOR EACH ROW EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit.heads FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse();
-- Traces may be erased, never rewritten.
CREATE TRIGGER never_changed BEFORE UPDATE ON audit.traces FOR EACH ROW EXECUTE FUNCTION audit.refuse();

-- The log in its order between two places: entries, and what is left of those that were erased. When rows are compared as wholes, the
-- planner estimates by the first column only, and all entries are of one era: it expects few rows and would sort all of them for each
-- batch. With sorting off it reads the indexes of the partitions side by side.
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

-- Erases entries of the log, named by id and moment, with their traces. Each must have its digest in audit.erased (a trigger refuses it
-- otherwise), lie in a sealed block, be older than traces are kept, record nothing about money, and be none that records are compared with.
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

-- Erases addresses and devices: of one person, or those older than a moment, or both. Of everybody only what is a month old (29 days,
-- because clocks differ).
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

REVOKE EXECUTE ON FUNCTION audit.erase_entries(jsonb), audit.scrub_traces(bigint, timestamptz) FROM PUBLIC;

CREATE TABLE audit.entries_earlier PARTITION OF audit.entries FOR VALUES FROM (MINVALUE) TO (base.quarter_of(now()));
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit.entries_earlier FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse();
SELECT base.like_partition('audit.entries_earlier', 'entries_rest');
ALTER TABLE audit.entries ATTACH PARTITION audit.entries_rest DEFAULT;
SELECT base.keep_partitions('audit.entries', interval '1 year');
