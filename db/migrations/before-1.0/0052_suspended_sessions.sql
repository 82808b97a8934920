-- The sessions that a suspension ended, by their digests alone: a browser that held one is told why it is signed out, and until when,
-- instead of being asked to sign in. They open nothing. An older version neither reads nor writes them.
CREATE TABLE identity.suspended_sessions (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id bigint NOT NULL REFERENCES identity.users,
  expires_at timestamptz NOT NULL
);
CREATE INDEX suspended_sessions_of_user ON identity.suspended_sessions (user_id);
CREATE INDEX suspended_sessions_expiry ON identity.suspended_sessions (expires_at);
