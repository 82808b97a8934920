-- The second factor, half-finished logins that wait for it, and which mails a person wants.
ALTER TABLE identity.users
  -- Since when a login needs a code; null: it does not.
  ADD COLUMN second_factor_at timestamptz,
  ADD COLUMN mail_reminders boolean NOT NULL DEFAULT true,
  ADD COLUMN mail_room_activity boolean NOT NULL DEFAULT true,
  ADD COLUMN mail_requests boolean NOT NULL DEFAULT true,
  ADD CONSTRAINT users_factor_gone CHECK (deleted_at IS NULL OR second_factor_at IS NULL);

CREATE TABLE identity.second_factors (
  user_id bigint PRIMARY KEY REFERENCES identity.users,
  -- AES-256-GCM: 12 bytes nonce, the 20 bytes of the secret, 16 bytes tag. The user's id is authenticated with it.
  secret bytea NOT NULL CHECK (octet_length(secret) = 48),
  begun_at timestamptz NOT NULL,
  -- The last 30-second step whose code was accepted: none of it or before it is accepted again.
  used_step bigint NOT NULL DEFAULT 0
);

-- Each works once: its use removes the row. The codes have 80 random bits, so that a plain digest tells nothing.
CREATE TABLE identity.recovery_codes (
  user_id bigint NOT NULL REFERENCES identity.users,
  code_hash text NOT NULL CHECK (code_hash ~ '^[0-9a-f]{64}$'),
  PRIMARY KEY (user_id, code_hash)
);

-- Logins whose password was right and whose code is still to come.
CREATE TABLE identity.login_tickets (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id bigint NOT NULL REFERENCES identity.users,
  action text NOT NULL CHECK (action IN ('login', 'admin_login')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at)
);
CREATE INDEX login_tickets_of_user ON identity.login_tickets (user_id);
CREATE INDEX login_tickets_expiry ON identity.login_tickets (expires_at);
