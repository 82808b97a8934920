-- Requests for support, kept so that none is lost when mail is; a request is told apart by its number.
CREATE TABLE escrow.support_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number text NOT NULL UNIQUE CHECK (number ~ '^SR-[0-9A-HJKMNP-TV-Z]{8}$'),
  -- A digest of the form's own id and what it held: the same form sent twice is one request.
  fingerprint text NOT NULL UNIQUE CHECK (fingerprint ~ '^[A-Za-z0-9_-]{43}$'),
  -- Who was signed in. Their name and address are not copied: they go when the account goes.
  user_id bigint,
  name text CHECK (char_length(name) BETWEEN 1 AND 100),
  email text CHECK (email ~ '^[^\s@<>,;]+@[^\s@<>,;]+$'),
  topic text NOT NULL CHECK (topic IN ('payment', 'room', 'account', 'dispute', 'other')),
  code text CHECK (code ~ '^MM-[0-9A-HJKMNP-TV-Z]{8}$'),
  -- The transaction of that code, where the asker was a party to it.
  trade_id bigint REFERENCES escrow.trades,
  message text NOT NULL CHECK (char_length(message) BETWEEN 10 AND 4000),
  -- The field that people do not see was filled in: kept, but nobody was written to.
  suspect boolean NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK ((user_id IS NULL) = (name IS NOT NULL)),
  CHECK ((user_id IS NULL) = (email IS NOT NULL)),
  CHECK (trade_id IS NULL OR (user_id IS NOT NULL AND code IS NOT NULL))
);

CREATE INDEX support_requests_of_user ON escrow.support_requests (user_id, id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX support_requests_of_trade ON escrow.support_requests (trade_id) WHERE trade_id IS NOT NULL;

-- Whom the answer to a mail reaches, when it is not our support address; erased with the mail's data.
ALTER TABLE mailer.messages ADD COLUMN reply_to text CHECK (reply_to ~ '^[^\s@<>,;]+@[^\s@<>,;]+$');
ALTER TABLE mailer.messages ADD CHECK (state = 'queued' OR reply_to IS NULL);
