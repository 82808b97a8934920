-- An administrator may limit a person (no new rooms or trades) or suspend them (no sign-in).
-- An older version survives it: it names no new column or table. It signs a suspended person in, but its session counts for none here.

-- What is in force now, for whoever reads the person's row; identity.restrictions has the history. For good is the year 9999.
ALTER TABLE identity.users
  ADD COLUMN restriction text CONSTRAINT users_restriction CHECK (restriction IN ('limit', 'suspend')),
  ADD COLUMN restricted_until timestamptz,
  ADD CONSTRAINT users_restricted_until CHECK ((restriction IS NULL) = (restricted_until IS NULL)),
  -- Nobody is restricted and an administrator, whoever writes.
  ADD CONSTRAINT users_restricted_admin CHECK (NOT is_admin OR restriction IS NULL);
CREATE INDEX users_restricted ON identity.users (id) WHERE restriction IS NOT NULL;

CREATE TABLE identity.restrictions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES identity.users (id),
  kind text NOT NULL CHECK (kind IN ('limit', 'suspend')),
  cause text NOT NULL CHECK (cause IN ('fraud', 'impersonation', 'abuse', 'terms')),
  -- An administrator's words for administrators; erased with the person.
  note text CHECK (char_length(note) BETWEEN 1 AND 2000),
  placed_by bigint NOT NULL REFERENCES identity.users (id),
  placed_at timestamptz NOT NULL,
  until timestamptz NOT NULL,
  -- Asked to be for good, which a second administrator confirms; until then it ends as any other.
  for_good boolean NOT NULL,
  confirmed_by bigint REFERENCES identity.users (id),
  confirmed_at timestamptz,
  ended_at timestamptz,
  ended_by bigint REFERENCES identity.users (id),
  -- Lifted by an administrator, or replaced by another restriction.
  ended_how text CHECK (ended_how IN ('lifted', 'replaced', 'deleted')),
  end_note text CHECK (char_length(end_note) BETWEEN 1 AND 2000),
  CONSTRAINT restrictions_until CHECK (until > placed_at),
  CONSTRAINT restrictions_confirmed CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL)),
  CONSTRAINT restrictions_two_people CHECK (confirmed_by IS NULL OR (for_good AND confirmed_by <> placed_by)),
  CONSTRAINT restrictions_ended CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (ended_how IS NULL))
);
CREATE UNIQUE INDEX restrictions_one ON identity.restrictions (user_id) WHERE ended_at IS NULL;
CREATE INDEX restrictions_of ON identity.restrictions (user_id, id);
CREATE INDEX restrictions_proposed ON identity.restrictions (placed_at, id) WHERE for_good AND confirmed_at IS NULL AND ended_at IS NULL;

-- What was decided stays as it was; only words are erased.
CREATE FUNCTION identity.restriction_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.user_id, NEW.kind, NEW.cause, NEW.placed_by, NEW.placed_at, NEW.until, NEW.for_good)
      IS DISTINCT FROM (OLD.user_id, OLD.kind, OLD.cause, OLD.placed_by, OLD.placed_at, OLD.until, OLD.for_good)
    OR (OLD.confirmed_at IS NOT NULL AND (NEW.confirmed_by, NEW.confirmed_at) IS DISTINCT FROM (OLD.confirmed_by, OLD.confirmed_at))
    OR (OLD.ended_at IS NOT NULL AND (NEW.ended_at, NEW.ended_by, NEW.ended_how) IS DISTINCT FROM (OLD.ended_at, OLD.ended_by, OLD.ended_how))
    OR (NEW.note IS NOT NULL AND NEW.note IS DISTINCT FROM OLD.note) THEN
    RAISE EXCEPTION 'restriction % keeps what was decided', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'restrictions_kept';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER restriction_kept BEFORE UPDATE ON identity.restrictions FOR EACH ROW EXECUTE FUNCTION identity.restriction_kept();

-- Keyed hashes of what a restricted person could be reached or paid by: signs for administrators, never a block.
CREATE TABLE identity.restriction_signs (
  user_id bigint NOT NULL REFERENCES identity.users (id),
  kind text NOT NULL CHECK (kind IN ('phone', 'bank', 'email')),
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  kept_at timestamptz NOT NULL,
  PRIMARY KEY (digest, user_id)
);
CREATE INDEX restriction_signs_of ON identity.restriction_signs (user_id);
