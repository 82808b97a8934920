-- Passkeys (WebAuthn credentials): public keys with which a person signs in beside the password.
-- An older version survives it: it names none of the new tables and columns, and the index on sessions covers few rows and is made in a moment.
CREATE TABLE identity.passkeys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES identity.users,
  -- What authenticators know their owner by: random, the same for all of one person's passkeys, base64url.
  user_handle text NOT NULL CHECK (user_handle ~ '^[A-Za-z0-9_-]{43}$'),
  -- The authenticator's own name of the credential, base64url; WebAuthn bounds it at 1,023 bytes.
  credential_id text NOT NULL UNIQUE CHECK (credential_id ~ '^[A-Za-z0-9_-]+$' AND char_length(credential_id) <= 1364),
  -- COSE key. Public: it opens nothing.
  public_key bytea NOT NULL CHECK (octet_length(public_key) BETWEEN 1 AND 2048),
  -- The last signature counter; 0 for authenticators that do not count.
  counter bigint NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
  -- How browsers reach the authenticator (usb, nfc, ble, internal, hybrid), comma by comma; a hint.
  transports text NOT NULL DEFAULT '' CHECK (char_length(transports) <= 100),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  -- Since when it opens nothing, because a copy of it was used: its counter went back.
  copied_at timestamptz
);
CREATE INDEX passkeys_of_user ON identity.passkeys (user_id);

-- Ceremonies under way: each challenge works once, for the browser that holds the token.
CREATE TABLE identity.passkey_challenges (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  purpose text NOT NULL CHECK (purpose IN ('login', 'admin_login', 'confirm', 'register')),
  challenge text NOT NULL CHECK (challenge ~ '^[A-Za-z0-9_-]{43}$'),
  -- Whose it is; null for signing in, where nobody is known yet.
  user_id bigint REFERENCES identity.users,
  -- The handle that a new passkey was made for.
  user_handle text CHECK (user_handle ~ '^[A-Za-z0-9_-]{43}$'),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  CHECK ((user_id IS NULL) = (purpose IN ('login', 'admin_login'))),
  CHECK ((user_handle IS NOT NULL) = (purpose = 'register'))
);
CREATE INDEX passkey_challenges_of_user ON identity.passkey_challenges (user_id);
CREATE INDEX passkey_challenges_expiry ON identity.passkey_challenges (expires_at);

-- The passkey that a session's owner last proved themselves with; null for a password. Null is also what an older version writes:
-- its sessions are opened by passwords. No reference, for a passkey goes before the sessions of others that it opened.
ALTER TABLE identity.sessions ADD COLUMN passkey_id bigint;
CREATE INDEX sessions_of_passkey ON identity.sessions (passkey_id) WHERE passkey_id IS NOT NULL;

-- An older version that runs beside deletes accounts without knowing of passkeys.
CREATE FUNCTION identity.forget_passkeys() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM identity.passkey_challenges WHERE user_id = NEW.id;
  DELETE FROM identity.passkeys WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_passkeys AFTER UPDATE OF deleted_at ON identity.users FOR EACH ROW
  WHEN (NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL) EXECUTE FUNCTION identity.forget_passkeys();
