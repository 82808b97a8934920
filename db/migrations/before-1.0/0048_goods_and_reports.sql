-- What kind of goods a trade is about, out of a short list: it stands where the payer reads it at the bank, which no member's words do.
-- An older version survives it: its trades are of the kind "other".
ALTER TABLE escrow.trades
  ADD COLUMN goods text NOT NULL DEFAULT 'other'
    CONSTRAINT trades_goods CHECK (goods IN ('account', 'licence', 'key', 'item', 'other'));

-- What people report: a person or a message in their room, or a code that somebody showed them.
CREATE TABLE escrow.reports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number text NOT NULL UNIQUE CHECK (number ~ '^RP-[0-9A-HJKMNP-TV-Z]{8}$'),
  -- A digest of the form's own id and what it held: the same form sent twice is one report.
  fingerprint text NOT NULL UNIQUE CHECK (fingerprint ~ '^[A-Za-z0-9_-]{43}$'),
  about text NOT NULL CHECK (about IN ('person', 'message', 'code')),
  happened text NOT NULL CHECK (happened IN ('fraud', 'other_payment', 'impersonation', 'abuse', 'other')),
  words text NOT NULL CHECK (char_length(words) <= 2000),
  -- Who reported; a visitor has none, and an address only if they gave one.
  reporter_id bigint,
  email text CHECK (email ~ '^[^\s@<>,;]+@[^\s@<>,;]+$'),
  person_id bigint,
  room_id bigint,
  trade_id bigint REFERENCES escrow.trades,
  message_id bigint,
  -- The message as it stood when it was reported.
  message text CHECK (char_length(message) <= 4000),
  message_at timestamptz,
  -- It put the trade on hold.
  held boolean NOT NULL,
  suspect boolean NOT NULL,
  created_at timestamptz NOT NULL,
  resolved_at timestamptz,
  resolved_by bigint,
  note text CHECK (char_length(note) BETWEEN 1 AND 2000),
  CONSTRAINT reports_about CHECK (
    CASE about WHEN 'code' THEN trade_id IS NOT NULL AND person_id IS NULL AND message_id IS NULL
      ELSE reporter_id IS NOT NULL AND person_id IS NOT NULL AND room_id IS NOT NULL AND (about = 'message') = (message_id IS NOT NULL) END),
  CONSTRAINT reports_reporter CHECK (reporter_id IS NULL OR email IS NULL),
  CONSTRAINT reports_resolved CHECK ((resolved_at IS NULL) = (resolved_by IS NULL) AND (resolved_at IS NULL) = (note IS NULL))
);
CREATE INDEX reports_open ON escrow.reports (created_at, id) WHERE resolved_at IS NULL AND NOT suspect;
CREATE INDEX reports_of_person ON escrow.reports (person_id, id) WHERE person_id IS NOT NULL;
CREATE INDEX reports_of_trade ON escrow.reports (trade_id, id) WHERE trade_id IS NOT NULL;
CREATE INDEX reports_by ON escrow.reports (reporter_id, id) WHERE reporter_id IS NOT NULL;
