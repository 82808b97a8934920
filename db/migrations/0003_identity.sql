-- People, their passwords, second factors, passkeys, sessions and one-use links, and restrictions of people. No secret is kept in clear:
-- passwords as argon2id, tokens as SHA-256.
CREATE SCHEMA identity;

CREATE TABLE identity.users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username text NOT NULL CHECK (char_length(username) BETWEEN 3 AND 32),
  -- The username as the application folds it, whatever the database's locale: it is what must be unique. Null once the person is deleted.
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
  -- Since when a sign-in needs a code; null: it does not.
  second_factor_at timestamptz,
  -- Which emails and push notifications a person wants.
  mail_reminders boolean NOT NULL DEFAULT true,
  mail_room_activity boolean NOT NULL DEFAULT true,
  mail_requests boolean NOT NULL DEFAULT true,
  push_messages boolean NOT NULL DEFAULT true,
  mail_messages boolean NOT NULL DEFAULT true,
  -- The hours in which only money notifies, as minutes of the day in Mongolia.
  quiet_from smallint CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_to smallint CHECK (quiet_to BETWEEN 0 AND 1439),
  -- The restriction in force now, for code that reads the person's row; identity.restrictions has the history. A permanent one lasts
  -- until the year 9999.
  restriction text CONSTRAINT users_restriction CHECK (restriction IN ('limit', 'suspend')),
  restricted_until timestamptz,
  -- A person can sign in and get email; of a deleted person nothing personal is left.
  CONSTRAINT users_living CHECK (
    deleted_at IS NOT NULL OR (username_key IS NOT NULL AND email IS NOT NULL AND password_hash IS NOT NULL)
  ),
  CONSTRAINT users_anonymised CHECK (
    deleted_at IS NULL OR (
      username_key IS NULL AND email IS NULL AND password_hash IS NULL AND phone_number IS NULL
      AND bank_account IS NULL AND email_verified_at IS NULL AND NOT is_admin
    )
  ),
  CONSTRAINT users_factor_gone CHECK (deleted_at IS NULL OR second_factor_at IS NULL),
  CONSTRAINT users_quiet CHECK (
    (quiet_from IS NULL) = (quiet_to IS NULL) AND (quiet_from IS NULL OR quiet_from <> quiet_to)
  ),
  CONSTRAINT users_restricted_until CHECK ((restriction IS NULL) = (restricted_until IS NULL)),
  -- No administrator is restricted, whatever code writes.
  CONSTRAINT users_restricted_admin CHECK (NOT is_admin OR restriction IS NULL)
);
CREATE UNIQUE INDEX users_email ON identity.users (lower(email));
CREATE INDEX users_admins ON identity.users (id) WHERE is_admin;
CREATE INDEX users_restricted ON identity.users (id) WHERE restriction IS NOT NULL;
-- The log's filter finds people by the beginning of their names.
CREATE INDEX users_username_begins ON identity.users (username_key text_pattern_ops);
CREATE INDEX users_name_begins ON identity.users (lower(display_name) text_pattern_ops);

-- The administrators' list of people is searched by the beginnings of words, and sorted and paged by indexes, however many people there
-- are. A person is found by username (whole and its parts), the words of the display name, email (and its host), and the digits of the
-- phone number, with and without a country code.
CREATE FUNCTION identity.search_words(username text, display_name text, email text, phone_number text)
  RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array_remove(array_remove(
    ARRAY[
      lower(username), lower(email), split_part(lower(email), '@', 2),
      regexp_replace(phone_number, '[^0-9]', '', 'g'),
      right(regexp_replace(phone_number, '[^0-9]', '', 'g'), 8)
    ]
    || string_to_array(translate(lower(username), '._-', '   '), ' ')
    || string_to_array(lower(display_name), ' '),
    NULL), ''))
$$;
CREATE INDEX users_words ON identity.users
  USING gin (identity.search_words(username, display_name, email, phone_number)) WHERE deleted_at IS NULL;
CREATE INDEX users_by_name ON identity.users ((lower(display_name) COLLATE "C"), id) WHERE deleted_at IS NULL;
CREATE INDEX users_living_newest ON identity.users (id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_deleted_newest ON identity.users (id DESC) WHERE deleted_at IS NOT NULL;

-- The last administrator cannot be removed. The lock makes two removals at the same time follow each other.
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

-- People are anonymised, never removed: rooms, trades and the audit log refer to their ids.
CREATE FUNCTION identity.refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'identity.% rows are never deleted', TG_TABLE_NAME;
END $$;
CREATE TRIGGER refuse_delete BEFORE DELETE ON identity.users
  FOR EACH ROW EXECUTE FUNCTION identity.refuse_delete();

-- How many people there are up to an id, so that the back office does not count them all each time. A person's row is never deleted,
-- only emptied.
CREATE TABLE identity.people_counted (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  up_to bigint NOT NULL,
  total bigint NOT NULL
);
INSERT INTO identity.people_counted (up_to, total) VALUES (0, 0);

CREATE TABLE identity.consents (
  user_id bigint NOT NULL REFERENCES identity.users,
  document text NOT NULL CHECK (document IN ('terms', 'privacy')),
  version text NOT NULL CHECK (char_length(version) BETWEEN 1 AND 40),
  consented_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, document, version)
);

-- What administrators changed in a profile, before and after. It is personal: the log, which is never erased, holds only the row and the
-- names of the fields, and these rows go with the person.
CREATE TABLE identity.profile_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES identity.users,
  changed_by bigint NOT NULL REFERENCES identity.users,
  at timestamptz NOT NULL,
  before jsonb NOT NULL CHECK (jsonb_typeof(before) = 'object'),
  after jsonb NOT NULL CHECK (jsonb_typeof(after) = 'object')
);
CREATE INDEX profile_changes_of_user ON identity.profile_changes (user_id, id DESC);

-- Sessions and links.

CREATE TABLE identity.sessions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_hash text NOT NULL UNIQUE CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id bigint NOT NULL REFERENCES identity.users,
  created_at timestamptz NOT NULL,
  authenticated_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ip text NOT NULL CHECK (char_length(ip) <= 45),
  device text NOT NULL CHECK (char_length(device) <= 200),
  -- The passkey that the session's owner last proved themselves with; null for a password. Not a reference, because a passkey goes before
  -- the sessions that it opened.
  passkey_id bigint
);
CREATE INDEX sessions_of_user ON identity.sessions (user_id);
CREATE INDEX sessions_expiry ON identity.sessions (expires_at);
CREATE INDEX sessions_of_passkey ON identity.sessions (passkey_id) WHERE passkey_id IS NOT NULL;

-- The sessions that a suspension ended, as digests only: a browser that held one reads why it is signed out, and until when, instead of
-- the sign-in page. They open nothing.
CREATE TABLE identity.suspended_sessions (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id bigint NOT NULL REFERENCES identity.users,
  expires_at timestamptz NOT NULL
);
CREATE INDEX suspended_sessions_of_user ON identity.suspended_sessions (user_id);
CREATE INDEX suspended_sessions_expiry ON identity.suspended_sessions (expires_at);

-- One-use links: using one removes its row.
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

-- Sign-ins with the right password that wait for their code.
CREATE TABLE identity.login_tickets (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id bigint NOT NULL REFERENCES identity.users,
  action text NOT NULL CHECK (action IN ('login', 'admin_login')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at)
);
CREATE INDEX login_tickets_of_user ON identity.login_tickets (user_id);
CREATE INDEX login_tickets_expiry ON identity.login_tickets (expires_at);

-- Second factors and passkeys.

CREATE TABLE identity.second_factors (
  user_id bigint PRIMARY KEY REFERENCES identity.users,
  -- AES-256-GCM: 12 bytes nonce, the 20 bytes of the secret, 16 bytes tag. The user's id is authenticated with it.
  secret bytea NOT NULL CHECK (octet_length(secret) = 48),
  begun_at timestamptz NOT NULL,
  -- The last 30-second step whose code was accepted: no code of that step or an earlier one is accepted again.
  used_step bigint NOT NULL DEFAULT 0
);

-- Each works once: using it removes the row. The codes have 80 random bits, so that a plain digest reveals nothing.
CREATE TABLE identity.recovery_codes (
  user_id bigint NOT NULL REFERENCES identity.users,
  code_hash text NOT NULL CHECK (code_hash ~ '^[0-9a-f]{64}$'),
  PRIMARY KEY (user_id, code_hash)
);

-- WebAuthn credentials: public keys with which a person signs in instead of the password.
CREATE TABLE identity.passkeys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES identity.users,
  -- By what authenticators know their owner: random, the same for all passkeys of a person, base64url.
  user_handle text NOT NULL CHECK (user_handle ~ '^[A-Za-z0-9_-]{43}$'),
  -- The authenticator's own name of the credential, base64url; WebAuthn limits it to 1,023 bytes.
  credential_id text NOT NULL UNIQUE CHECK (credential_id ~ '^[A-Za-z0-9_-]+$' AND char_length(credential_id) <= 1364),
  -- COSE key. Public: it opens nothing.
  public_key bytea NOT NULL CHECK (octet_length(public_key) BETWEEN 1 AND 2048),
  -- The last signature counter; 0 for authenticators that do not count.
  counter bigint NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
  -- How browsers reach the authenticator (usb, nfc, ble, internal, hybrid), separated by commas; a hint.
  transports text NOT NULL DEFAULT '' CHECK (char_length(transports) <= 100),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  -- Since when it opens nothing, because a copy of it was used: its counter went backwards.
  copied_at timestamptz
);
CREATE INDEX passkeys_of_user ON identity.passkeys (user_id);

-- Passkey ceremonies under way: each challenge works once, for the browser that holds the token.
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

-- Administrators.

-- Who made whom an administrator, and when: for seven days the two count as one pair of eyes. Each grant stays, whatever is granted or
-- removed later, and holds ids only, so that it outlives a person.
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

-- Filters of the back office's lists that an administrator keeps by name. The query is what follows the "?" of the list's own address, in
-- that page's words; it cannot lead to another place.
CREATE TABLE identity.saved_filters (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES identity.users,
  page text NOT NULL CHECK (page IN ('transactions', 'users', 'activity-logs')),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
  query text NOT NULL CHECK (char_length(query) BETWEEN 1 AND 4000),
  created_at timestamptz NOT NULL,
  UNIQUE (user_id, page, name)
);

-- Restrictions: an administrator may limit a person (no new rooms or trades) or suspend them (no sign-in).

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
  -- Asked to be permanent, which a second administrator confirms; until then it ends like any other.
  for_good boolean NOT NULL,
  confirmed_by bigint REFERENCES identity.users (id),
  confirmed_at timestamptz,
  ended_at timestamptz,
  ended_by bigint REFERENCES identity.users (id),
  -- An administrator lifted it, or another restriction replaced it, or the person was deleted. One that ran out has no end here.
  ended_how text CHECK (ended_how IN ('lifted', 'replaced', 'deleted')),
  end_note text CHECK (char_length(end_note) BETWEEN 1 AND 2000),
  -- When the other parties of the person's open trades were notified that a suspension had run out, so that they are notified once.
  expiry_notified_at timestamptz,
  CONSTRAINT restrictions_until CHECK (until > placed_at),
  CONSTRAINT restrictions_confirmed CHECK ((confirmed_by IS NULL) = (confirmed_at IS NULL)),
  CONSTRAINT restrictions_two_people CHECK (confirmed_by IS NULL OR (for_good AND confirmed_by <> placed_by)),
  CONSTRAINT restrictions_ended CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (ended_how IS NULL))
);
CREATE INDEX restrictions_of ON identity.restrictions (user_id, id);
CREATE INDEX restrictions_proposed ON identity.restrictions (placed_at, id) WHERE for_good AND confirmed_at IS NULL AND ended_at IS NULL;
CREATE INDEX restrictions_expiry_unnotified ON identity.restrictions (until)
  WHERE kind = 'suspend' AND ended_at IS NULL AND confirmed_at IS NULL AND expiry_notified_at IS NULL;

-- One restriction of a person at a time. One that has run out is over without anybody ending it, so that this is a matter of periods,
-- which no unique index can compare.
CREATE FUNCTION identity.restriction_alone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM identity.users WHERE id = NEW.user_id FOR UPDATE;
  IF EXISTS (
    SELECT FROM identity.restrictions r
    WHERE r.user_id = NEW.user_id AND r.ended_at IS NULL
      AND (r.confirmed_at IS NOT NULL OR r.until > NEW.placed_at)
      AND (NEW.confirmed_at IS NOT NULL OR NEW.until > r.placed_at)
  ) THEN
    RAISE EXCEPTION 'person % is restricted already', NEW.user_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'restrictions_one';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER restriction_alone BEFORE INSERT ON identity.restrictions
  FOR EACH ROW WHEN (NEW.ended_at IS NULL) EXECUTE FUNCTION identity.restriction_alone();

-- A decision stays as it was; only its words are erased.
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

-- Keyed hashes of a restricted person's phone, bank account and email: signs for administrators, never a block.
CREATE TABLE identity.restriction_signs (
  user_id bigint NOT NULL REFERENCES identity.users (id),
  kind text NOT NULL CHECK (kind IN ('phone', 'bank', 'email')),
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  kept_at timestamptz NOT NULL,
  PRIMARY KEY (digest, user_id)
);
CREATE INDEX restriction_signs_of ON identity.restriction_signs (user_id);
