-- Messages and journals are in the chain: each has its digest in an entry of the log, written in the transaction that writes it.
-- Heads of the chain are kept, so that one that was rewritten as a whole does not pass.
-- An older version survives it: it names neither the new column nor the new tables, and what it writes without a digest gets one by trigger.

-- As in 0038: who waits here must not make a deadlock with transactions of an older version.
DO $$
DECLARE
  before text := current_setting('lock_timeout');
BEGIN
  PERFORM set_config('lock_timeout', '500ms', true);
  FOR try IN 1..120 LOOP
    BEGIN
      LOCK TABLE rooms.messages, payments.journals IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF try = 120 THEN RAISE; END IF;
    END;
    PERFORM pg_sleep(0.05);
  END LOOP;
  PERFORM set_config('lock_timeout', before, true);
END $$;

-- SHA-256 over the fields as a JSON array without spaces: what JSON.stringify of the same texts writes.
CREATE FUNCTION base.digest_of(fields text[]) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT encode(sha256(convert_to(array_to_json(fields)::text, 'UTF8')), 'hex') $$;
-- A moment as digests spell it.
CREATE FUNCTION base.moment_text(at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN isfinite(at) THEN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') ELSE at::text END $$;

-- A message's digest tells nothing of its words without the salt, which goes with the row. Rows from before have none until
-- rooms.digest_earlier gives them one.
ALTER TABLE rooms.messages ADD COLUMN salt bytea CONSTRAINT messages_salt CHECK (octet_length(salt) = 16);

CREATE FUNCTION rooms.message_fields(m rooms.messages) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY['midman-message-1', encode(m.salt, 'hex'), m.room_id::text, m.seq::text, m.id::text, m.sender_id::text, m.client_id::text,
    m.type, m.content, m.code, m.params::text, m.image_url, m.image_width::text, m.image_height::text, base.moment_text(m.created_at)]
$$;
CREATE FUNCTION rooms.message_digest(m rooms.messages) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT base.digest_of(rooms.message_fields(m)) $$;
CREATE FUNCTION rooms.picture_fields(salt bytea, i rooms.images) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY['midman-picture-1', encode(salt, 'hex'), i.id::text, i.mime, i.bytes::text, i.sha256, i.sent_sha256]
$$;

-- Who sends with a salt records the digest in its own entry. Everything else (notices, an older version) gets an entry here.
CREATE FUNCTION rooms.message_digested() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  m rooms.messages;
BEGIN
  NEW.salt := uuid_send(gen_random_uuid());
  m := NEW;
  INSERT INTO audit.entries (at, action, room_id, subject_kind, subject_id, data) VALUES (
    NEW.created_at, 'message_digested', NEW.room_id, 'message', NEW.id,
    jsonb_build_object('seq', NEW.seq, 'digest', rooms.message_digest(m)));
  RETURN NEW;
END $$;
CREATE TRIGGER digested BEFORE INSERT ON rooms.messages
  FOR EACH ROW WHEN (NEW.salt IS NULL) EXECUTE FUNCTION rooms.message_digested();

-- Puts the messages of some rooms from before this migration into the log, at most 500 an entry; answers how many it found. By the
-- owner's right: the application's role gives no message a salt.
CREATE FUNCTION rooms.digest_earlier(first_room bigint, last_room bigint, recorded timestamptz) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH salted AS (
    UPDATE rooms.messages m SET salt = uuid_send(gen_random_uuid())
    WHERE m.room_id BETWEEN first_room AND last_room AND m.salt IS NULL
    RETURNING m.room_id, m.seq, rooms.message_digest(m) AS digest,
      (SELECT base.digest_of(rooms.picture_fields(m.salt, i)) FROM rooms.images i WHERE i.message_id = m.id) AS picture
  ), parts AS (
    SELECT *, (row_number() OVER (PARTITION BY room_id ORDER BY seq) - 1) / 500 AS part FROM salted
  ), recorded AS (
    INSERT INTO audit.entries (at, action, room_id, data)
    SELECT recorded, 'messages_digested', room_id, jsonb_build_object('digests', jsonb_object_agg(seq, digest),
      'pictures', coalesce(jsonb_object_agg(seq, picture) FILTER (WHERE picture IS NOT NULL), '{}'))
    FROM parts GROUP BY room_id, part
  )
  SELECT count(*) FROM salted
$$;
REVOKE ALL ON FUNCTION rooms.digest_earlier(bigint, bigint, timestamptz) FROM PUBLIC;

-- A journal's digest: its row and its lines.
CREATE FUNCTION payments.journal_digest(j payments.journals, lines text[]) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT base.digest_of(ARRAY['midman-journal-1', j.id::text, j.event, j.kind, j.reference::text, j.payment_id::text, j.payout_id::text,
    j.corrects::text, base.moment_text(j.at)] || lines)
$$;
CREATE FUNCTION payments.lines_of(journal bigint) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(account || ' ' || amount ORDER BY account COLLATE "C") FROM payments.entries WHERE journal_id = journal
$$;

-- Written at the commit, when the journal has all its lines, whoever posted it.
CREATE FUNCTION payments.journal_digested() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  j payments.journals := NEW;
BEGIN
  INSERT INTO audit.entries (at, action, subject_kind, subject_id, data) VALUES (
    j.at, 'journal.posted', 'journal_digest', j.id,
    jsonb_build_object('event', j.event, 'digest', payments.journal_digest(j, payments.lines_of(j.id))));
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER journal_digested AFTER INSERT ON payments.journals
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payments.journal_digested();

-- Heads of the chain that were seen by a verification, or sent away (`sent_to`, a name of the place). The chain must hold each of them.
CREATE TABLE audit.heads (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  block bigint NOT NULL CHECK (block > 0),
  head text NOT NULL CHECK (head ~ '^[0-9a-f]{64}$'),
  sent_to text
);
CREATE INDEX heads_sent ON audit.heads (sent_to, id DESC) WHERE sent_to IS NOT NULL;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit.heads FOR EACH ROW EXECUTE FUNCTION audit.refuse();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON audit.heads FOR EACH STATEMENT EXECUTE FUNCTION audit.refuse();

-- The place that heads could not be sent to, since when and why; no row while all is well.
CREATE TABLE audit.anchor_failures (
  place text PRIMARY KEY,
  since timestamptz NOT NULL,
  tried_at timestamptz NOT NULL,
  reason text NOT NULL
);
