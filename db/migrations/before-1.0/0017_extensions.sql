-- By how much a deadline was put off because Midman itself was away; both sides are told.
ALTER TABLE escrow.deadlines ADD COLUMN extended_ms bigint NOT NULL DEFAULT 0 CHECK (extended_ms >= 0);
