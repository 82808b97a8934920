CREATE SCHEMA mailer;

-- The outbox: one row a mail, written in the transaction that has reason to send it.
CREATE TABLE mailer.messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text UNIQUE CHECK (key <> ''),
  message_id text NOT NULL UNIQUE,
  template text NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'mn')),
  recipient text NOT NULL CHECK (recipient ~ '^[^\s@<>,;]+@[^\s@<>,;]+$'),
  user_id bigint,
  data jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object'),
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  lease_until timestamptz,
  last_error text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((state = 'queued') = (ended_at IS NULL)),
  -- Links with tokens do not outlive their mail.
  CHECK (state = 'queued' OR data = '{}')
);

CREATE INDEX messages_queued ON mailer.messages (id) WHERE state = 'queued';
CREATE INDEX messages_of_user ON mailer.messages (user_id, id DESC) WHERE user_id IS NOT NULL;

-- Where mail goes when no SMTP server is configured: the development mailbox.
CREATE TABLE mailer.mailbox (
  id bigint PRIMARY KEY REFERENCES mailer.messages (id),
  at timestamptz NOT NULL,
  sender text NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  html text NOT NULL,
  text text NOT NULL
);

CREATE INDEX mailbox_of_recipient ON mailer.mailbox (lower(recipient), id DESC);
