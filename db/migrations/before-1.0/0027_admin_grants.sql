-- Who made whom an administrator, and when: for seven days the two are one pair of eyes. Each grant stays, whatever is granted or
-- taken away after it, and names ids only, so that it outlives a person. Nobody stands behind those of before.
CREATE TABLE identity.admin_grants (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  made bigint NOT NULL REFERENCES identity.users,
  by bigint NOT NULL REFERENCES identity.users,
  at timestamptz NOT NULL,
  CHECK (made <> by)
);
CREATE INDEX admin_grants_at ON identity.admin_grants (at);

CREATE FUNCTION identity.append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'identity.% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON identity.admin_grants
  FOR EACH ROW EXECUTE FUNCTION identity.append_only();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON identity.admin_grants
  FOR EACH STATEMENT EXECUTE FUNCTION identity.append_only();
