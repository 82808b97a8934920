-- Which keys this database was used with, and whose it is: a start by a wrong key and a command on a wrong database are told in time.
-- An older version survives it: it names neither table.
CREATE TABLE base.encryption_keys (
  -- An HMAC of a constant under the key: it tells keys apart and reveals nothing of them.
  fingerprint text PRIMARY KEY CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  used_since timestamptz NOT NULL
);

-- Under which name people reach the instances that serve this database, written by each start.
CREATE TABLE base.instance (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  public_url text NOT NULL CHECK (char_length(public_url) BETWEEN 1 AND 2000),
  version text NOT NULL CHECK (char_length(version) BETWEEN 1 AND 100),
  started_at timestamptz NOT NULL
);
