CREATE SCHEMA audit;

-- Raised by one each time the database is carried to a cluster whose transaction counter is behind
-- (a restored dump), so that (era, xid) only ever grows.
CREATE SEQUENCE audit.era AS integer;
SELECT nextval('audit.era');

CREATE FUNCTION audit.current_era() RETURNS integer
  LANGUAGE sql STABLE AS $$ SELECT last_value::integer FROM audit.era $$;

-- One row an event, written in the transaction it tells of. (era, xid) says which block it belongs to.
CREATE TABLE audit.entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
  CHECK ((subject_kind IS NULL) = (subject_id IS NULL))
);

CREATE INDEX entries_order ON audit.entries (era, xid, id);
CREATE INDEX entries_of_user ON audit.entries (user_id, id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX entries_of_room ON audit.entries (room_id, id DESC) WHERE room_id IS NOT NULL;
CREATE INDEX entries_of_action ON audit.entries (action, id DESC);
CREATE INDEX entries_of_time ON audit.entries USING brin (at);

-- Where a person's address and device lie until they are scrubbed. entries.trace = HMAC(key, ip and device);
-- the key goes with the row, after which the hash tells nothing.
CREATE TABLE audit.traces (
  entry_id bigint PRIMARY KEY REFERENCES audit.entries (id),
  at timestamptz NOT NULL,
  key bytea NOT NULL CHECK (octet_length(key) = 32),
  ip text,
  device text,
  CHECK (ip IS NOT NULL OR device IS NOT NULL)
);

CREATE INDEX traces_of_ip ON audit.traces (ip text_pattern_ops, entry_id DESC);
CREATE INDEX traces_of_time ON audit.traces USING brin (at);

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
  CHECK ((from_era, from_xid) < (to_era, to_xid)),
  CHECK (first_id <= last_id)
);

CREATE FUNCTION audit.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit.% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit.entries
  FOR EACH ROW EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit.entries
  FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit.blocks
  FOR EACH ROW EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit.blocks
  FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse();
-- Traces may be erased, never rewritten.
CREATE TRIGGER never_changed BEFORE UPDATE ON audit.traces
  FOR EACH ROW EXECUTE FUNCTION audit.refuse();
