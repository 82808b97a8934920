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
