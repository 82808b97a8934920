-- How many people there are up to an id, so that nobody is counted again each time the back office is opened. A row of a person is
-- never deleted, only emptied.
CREATE TABLE identity.people_counted (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  up_to bigint NOT NULL,
  total bigint NOT NULL
);
INSERT INTO identity.people_counted (up_to, total) VALUES (0, 0);
