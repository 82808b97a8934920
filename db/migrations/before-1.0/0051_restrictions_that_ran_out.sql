-- A restriction that has run out is over by itself: nobody ends it, and it stands in the way of no other. "One at a time" is therefore a
-- matter of their periods, which an index on unended rows cannot tell.
-- An older version survives it: it still ends the row before, which stays allowed, and reads the latest row alone.
CREATE FUNCTION identity.restriction_alone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM identity.users WHERE id = NEW.user_id FOR UPDATE;
  IF EXISTS (
    SELECT FROM identity.restrictions r
    WHERE r.user_id = NEW.user_id AND r.ended_at IS NULL
      AND (r.confirmed_at IS NOT NULL OR r.until > NEW.placed_at)
      AND (NEW.confirmed_at IS NOT NULL OR NEW.until > r.placed_at)
  ) THEN
    RAISE EXCEPTION 'person % is restricted already', NEW.user_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'restrictions_one';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER restriction_alone BEFORE INSERT ON identity.restrictions
  FOR EACH ROW WHEN (NEW.ended_at IS NULL) EXECUTE FUNCTION identity.restriction_alone();
DROP INDEX identity.restrictions_one;
