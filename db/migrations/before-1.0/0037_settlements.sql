-- QPay's settlements to our bank account, entered by hand from the bank's statement. The first administrator enters one, a second who
-- enters the same has it posted. An entry may be laid aside with a reason, or replaced by its proposer's correction (no reason); neither
-- waits for anybody any more, and its bank reference may be entered again.
CREATE TABLE payments.settlements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bank_reference text NOT NULL CONSTRAINT settlements_bank_reference_plain CHECK (
    bank_reference = upper(btrim(bank_reference)) AND length(bank_reference) BETWEEN 1 AND 200
  ),
  received bigint NOT NULL CHECK (received > 0),
  cost bigint NOT NULL CHECK (cost >= 0),
  proposed_by bigint NOT NULL,
  proposed_at timestamptz NOT NULL,
  confirmed_by bigint,
  confirmed_at timestamptz,
  journal_id bigint UNIQUE REFERENCES payments.journals (id),
  laid_aside_by bigint,
  laid_aside_at timestamptz,
  aside_reason text CHECK (char_length(aside_reason) BETWEEN 1 AND 2000),
  CONSTRAINT settlements_four_eyes CHECK (confirmed_by <> proposed_by),
  CONSTRAINT settlements_confirmed CHECK (num_nulls(confirmed_by, confirmed_at, journal_id) IN (0, 3)),
  CONSTRAINT settlements_aside CHECK (
    num_nulls(laid_aside_by, laid_aside_at) IN (0, 2)
    AND (laid_aside_at IS NULL OR confirmed_at IS NULL)
    AND (laid_aside_at IS NOT NULL OR aside_reason IS NULL)
  )
);
CREATE UNIQUE INDEX settlements_reference ON payments.settlements (bank_reference) WHERE laid_aside_at IS NULL;
CREATE INDEX settlements_waiting ON payments.settlements (proposed_at, id) WHERE confirmed_at IS NULL AND laid_aside_at IS NULL;
CREATE INDEX settlements_laid_aside ON payments.settlements (id DESC) WHERE aside_reason IS NOT NULL;

-- The log names an entry by its id and not by its figures, which the second administrator must not read before they enter their own: so
-- what was entered stays as it was. What is posted or laid aside changes no more, but that a reason is erased with its age.
CREATE FUNCTION payments.keep_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kept payments.settlements := NEW;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.laid_aside_at IS NOT NULL AND NEW.aside_reason IS NULL THEN
      kept.aside_reason := OLD.aside_reason;
    ELSIF num_nonnulls(OLD.confirmed_at, OLD.laid_aside_at) = 0 THEN
      kept.confirmed_by := NULL;
      kept.confirmed_at := NULL;
      kept.journal_id := NULL;
      kept.laid_aside_by := NULL;
      kept.laid_aside_at := NULL;
      kept.aside_reason := NULL;
    END IF;
    IF kept IS DISTINCT FROM OLD THEN
      RAISE EXCEPTION 'settlement % keeps what was entered', OLD.id
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'settlements_kept';
    END IF;
  END IF;
  IF NEW.journal_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM payments.journals WHERE id = NEW.journal_id AND event = 'settlement:' || NEW.bank_reference
  ) THEN
    RAISE EXCEPTION 'settlement % and its journal disagree', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'settlements_posted';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_settlement BEFORE INSERT OR UPDATE ON payments.settlements
  FOR EACH ROW EXECUTE FUNCTION payments.keep_settlement();
CREATE TRIGGER settlements_kept BEFORE DELETE OR TRUNCATE ON payments.settlements
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_change();
