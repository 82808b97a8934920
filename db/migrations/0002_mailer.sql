-- Emails and push notifications, each in an outbox.
CREATE SCHEMA mailer;

-- The outbox: one row for each email, written in the transaction that has reason to send it.
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
  -- Who gets the answer to an email, when it is not our support address; erased with the email's data.
  reply_to text CHECK (reply_to ~ '^[^\s@<>,;]+@[^\s@<>,;]+$'),
  -- A failed email waits until an administrator has dealt with it.
  dealt_at timestamptz,
  dealt_by bigint,
  CHECK ((state = 'queued') = (ended_at IS NULL)),
  -- Links with tokens do not outlive their email.
  CHECK (state = 'queued' OR data = '{}'),
  CHECK (state = 'queued' OR reply_to IS NULL),
  CONSTRAINT messages_dealt CHECK (
    (dealt_at IS NULL) = (dealt_by IS NULL) AND (dealt_at IS NULL OR state = 'failed')
  )
);
CREATE INDEX messages_queued ON mailer.messages (id) WHERE state = 'queued';
CREATE INDEX messages_of_user ON mailer.messages (user_id, id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX messages_failed ON mailer.messages (ended_at, id) WHERE state = 'failed' AND dealt_at IS NULL;
CREATE INDEX mail_ended ON mailer.messages (ended_at) WHERE ended_at IS NOT NULL;

-- Where email goes when no SMTP server is configured: the development mailbox.
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

-- How administrators customise four of the emails. Every save is a version; real emails use the latest.
CREATE TABLE mailer.template_versions (
  template text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  customizations jsonb NOT NULL CHECK (jsonb_typeof(customizations) = 'object'),
  user_id bigint NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (template, version)
);

-- What was once sent to people stays readable.
CREATE FUNCTION mailer.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'mailer.template_versions is only ever added to';
END $$;
CREATE TRIGGER template_versions_added_to BEFORE UPDATE OR DELETE ON mailer.template_versions
  FOR EACH ROW EXECUTE FUNCTION mailer.refuse_change();

-- Browsers that get push notifications. The session says whose the browser is: signing it out removes the row.
CREATE TABLE mailer.push_subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL,
  session_id bigint NOT NULL,
  -- An address at the browser maker's push service: who has it and our key can reach this browser, nobody else.
  endpoint text NOT NULL UNIQUE CHECK (endpoint ~ '^https?://' AND char_length(endpoint) <= 1000),
  p256dh text NOT NULL CHECK (char_length(p256dh) = 87),
  auth text NOT NULL CHECK (char_length(auth) = 22),
  device text NOT NULL CHECK (char_length(device) <= 200),
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0)
);
CREATE INDEX push_subscriptions_of_user ON mailer.push_subscriptions (user_id, id);

-- The outbox of push notifications: one row for a person and an event, written in the transaction that has reason to notify them.
CREATE TABLE mailer.pushes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text UNIQUE CHECK (key <> ''),
  user_id bigint NOT NULL,
  event text NOT NULL,
  params jsonb NOT NULL CHECK (jsonb_typeof(params) = 'object'),
  url text NOT NULL CHECK (url LIKE '/%'),
  -- The email that goes if no device takes it.
  otherwise jsonb,
  -- The devices that are still to be tried again; null before the first try.
  waiting bigint[],
  taken boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- Its content does not outlive the notification.
  CHECK (ended_at IS NULL OR (params = '{}' AND otherwise IS NULL))
);
CREATE INDEX pushes_ended ON mailer.pushes (ended_at) WHERE ended_at IS NOT NULL;

-- The key by which the push services know us. It is here and not beside the other secrets because every instance needs the same one, and
-- the subscriptions above are bound to it: they are kept, backed up and restored together. The private half is encrypted.
CREATE TABLE mailer.vapid_keys (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  public_key text NOT NULL CHECK (char_length(public_key) = 87),
  private_key bytea NOT NULL,
  created_at timestamptz NOT NULL
);
