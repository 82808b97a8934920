-- Information exchange and the destinations of money.

-- How far each side has come. Nothing personal: it stays as long as the trade.
CREATE TABLE escrow.information (
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  side text NOT NULL CHECK (side IN ('buyer', 'seller')),
  -- The seller's bank account or the buyer's contact form, and its one correction.
  given_at timestamptz,
  corrected_at timestamptz,
  shared_at timestamptz,
  confirmed_at timestamptz,
  PRIMARY KEY (trade_id, side),
  CONSTRAINT information_corrected CHECK (corrected_at IS NULL OR given_at IS NOT NULL)
);

-- What happened stays happened.
CREATE FUNCTION escrow.keep_information() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.trade_id <> OLD.trade_id OR NEW.side <> OLD.side
     OR (OLD.given_at IS NOT NULL AND NEW.given_at IS DISTINCT FROM OLD.given_at)
     OR (OLD.corrected_at IS NOT NULL AND NEW.corrected_at IS DISTINCT FROM OLD.corrected_at)
     OR (OLD.shared_at IS NOT NULL AND NEW.shared_at IS NULL)
     OR (OLD.confirmed_at IS NOT NULL AND NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at) THEN
    RAISE EXCEPTION 'escrow.information: what a side has done is not undone';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_information BEFORE UPDATE ON escrow.information
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_information();
CREATE TRIGGER refuse_delete BEFORE DELETE ON escrow.information
  FOR EACH ROW EXECUTE FUNCTION escrow.refuse_delete();

-- The personal part, apart so that it can be erased at the end of retention. The latest version of a kind stands;
-- earlier ones remain as they were given, for a dispute to read.
CREATE TABLE escrow.details (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  side text NOT NULL,
  kind text NOT NULL,
  version integer NOT NULL,
  given_by bigint NOT NULL,
  given_at timestamptz NOT NULL,
  account_name text CHECK (char_length(account_name) BETWEEN 2 AND 100),
  bank_name text CHECK (char_length(bank_name) BETWEEN 2 AND 100),
  account_number text CHECK (account_number ~ '^[0-9]{4,20}$'),
  iban text CHECK (iban ~ '^MN[0-9]{18}$'),
  phone_number text CHECK (char_length(phone_number) BETWEEN 8 AND 24),
  email text CHECK (char_length(email) BETWEEN 3 AND 254),
  body text CHECK (char_length(body) BETWEEN 1 AND 2000),
  CONSTRAINT details_kind CHECK ((side, kind) IN (('seller', 'bank'), ('buyer', 'contact'), ('buyer', 'refund'),
    ('seller', 'info'), ('buyer', 'info'))),
  -- One correction, and no more (specification §9).
  CONSTRAINT details_one_correction CHECK (version >= 1 AND (kind NOT IN ('bank', 'contact') OR version <= 2)),
  CONSTRAINT details_whole CHECK (
    CASE kind
      WHEN 'bank' THEN num_nulls(account_name, bank_name, account_number, phone_number, email) = 0 AND body IS NULL
      WHEN 'contact' THEN num_nulls(account_name, phone_number, email) = 0
        AND num_nonnulls(bank_name, account_number, iban, body) = 0
      WHEN 'refund' THEN num_nulls(account_name, bank_name, account_number) = 0
        AND num_nonnulls(phone_number, email, body) = 0
      ELSE body IS NOT NULL
        AND num_nonnulls(account_name, bank_name, account_number, iban, phone_number, email) = 0
    END
  ),
  CONSTRAINT details_version UNIQUE (trade_id, kind, side, version)
);

CREATE FUNCTION escrow.keep_details() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'escrow.details: a correction is a new version';
END $$;
CREATE TRIGGER keep_details BEFORE UPDATE ON escrow.details
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_details();
