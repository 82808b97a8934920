-- People, their passwords, sessions and one-use tokens. No secret is kept in clear: passwords as argon2id, tokens as SHA-256.
CREATE SCHEMA identity;

CREATE TABLE identity.users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username text NOT NULL CHECK (char_length(username) BETWEEN 3 AND 32),
  -- The username folded by the application, whatever the database's locale: what must be unique. Gone with the person.
  username_key text CONSTRAINT users_username UNIQUE,
  email text CHECK (char_length(email) BETWEEN 3 AND 254),
  display_name text NOT NULL CHECK (char_length(display_name) BETWEEN 1 AND 60),
  avatar_initials text NOT NULL CHECK (char_length(avatar_initials) BETWEEN 1 AND 2),
  phone_number text CHECK (char_length(phone_number) <= 32),
  bank_account text CHECK (char_length(bank_account) <= 120),
  password_hash text CHECK (password_hash LIKE '$argon2id$%'),
  must_change_password boolean NOT NULL DEFAULT false,
  is_admin boolean NOT NULL DEFAULT false,
  language text NOT NULL CHECK (language IN ('mn', 'en')),
  email_verified_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  -- A living person can sign in and be written to; of one who was deleted nothing personal is left.
  CONSTRAINT users_living CHECK (
    deleted_at IS NOT NULL OR (username_key IS NOT NULL AND email IS NOT NULL AND password_hash IS NOT NULL)
  ),
  CONSTRAINT users_anonymised CHECK (
    deleted_at IS NULL OR (
      username_key IS NULL AND email IS NULL AND password_hash IS NULL AND phone_number IS NULL
      AND bank_account IS NULL AND email_verified_at IS NULL AND NOT is_admin
    )
  )
);
CREATE UNIQUE INDEX users_email ON identity.users (lower(email));
CREATE INDEX users_admins ON identity.users (id) WHERE is_admin;

-- The last administrator stays, whoever asks. The lock makes two removals at once follow each other.
CREATE FUNCTION identity.keep_an_administrator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('identity.administrators'));
  IF NOT EXISTS (SELECT FROM identity.users WHERE is_admin) THEN
    RAISE EXCEPTION 'the last administrator cannot be removed' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_last_admin';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_an_administrator AFTER UPDATE OF is_admin ON identity.users
  FOR EACH ROW WHEN (OLD.is_admin AND NOT NEW.is_admin) EXECUTE FUNCTION identity.keep_an_administrator();

-- People are anonymised, never removed: rooms, trades and the audit log name their ids.
CREATE FUNCTION identity.refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'identity.% rows are never deleted', TG_TABLE_NAME;
END $$;
CREATE TRIGGER refuse_delete BEFORE DELETE ON identity.users
  FOR EACH ROW EXECUTE FUNCTION identity.refuse_delete();

CREATE TABLE identity.consents (
  user_id bigint NOT NULL REFERENCES identity.users,
  document text NOT NULL CHECK (document IN ('terms', 'privacy')),
  version text NOT NULL CHECK (char_length(version) BETWEEN 1 AND 40),
  consented_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, document, version)
);

CREATE TABLE identity.sessions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_hash text NOT NULL UNIQUE CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id bigint NOT NULL REFERENCES identity.users,
  created_at timestamptz NOT NULL,
  authenticated_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ip text NOT NULL CHECK (char_length(ip) <= 45),
  device text NOT NULL CHECK (char_length(device) <= 200)
);
CREATE INDEX sessions_of_user ON identity.sessions (user_id);
CREATE INDEX sessions_expiry ON identity.sessions (expires_at);

-- One-use links: a row is removed by its use.
CREATE TABLE identity.tokens (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  kind text NOT NULL CHECK (kind IN ('password_reset', 'email_verification')),
  user_id bigint NOT NULL REFERENCES identity.users,
  -- The address the link went to: verifying proves that one, not a later one.
  email text NOT NULL CHECK (char_length(email) <= 254),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at)
);
CREATE INDEX tokens_of_user ON identity.tokens (user_id, kind);
CREATE INDEX tokens_expiry ON identity.tokens (expires_at);
