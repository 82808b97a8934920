-- The administrators' list of people: searched by the beginnings of words, sorted and paged off indexes, however many there are.

-- What a person is found by: username (whole and its parts), the words of the display name, e-mail (and its host), and the
-- digits of the phone number, with and without a country code.
CREATE FUNCTION identity.search_words(username text, display_name text, email text, phone_number text)
  RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array_remove(array_remove(
    ARRAY[
      lower(username), lower(email), split_part(lower(email), '@', 2),
      regexp_replace(phone_number, '[^0-9]', '', 'g'),
      right(regexp_replace(phone_number, '[^0-9]', '', 'g'), 8)
    ]
    || string_to_array(translate(lower(username), '._-', '   '), ' ')
    || string_to_array(lower(display_name), ' '),
    NULL), ''))
$$;

CREATE INDEX users_words ON identity.users
  USING gin (identity.search_words(username, display_name, email, phone_number)) WHERE deleted_at IS NULL;
CREATE INDEX users_by_name ON identity.users ((lower(display_name) COLLATE "C"), id) WHERE deleted_at IS NULL;
CREATE INDEX users_living_newest ON identity.users (id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_deleted_newest ON identity.users (id DESC) WHERE deleted_at IS NOT NULL;

-- What administrators changed in a profile, before and after. It is personal: the log, which is sealed for ever, names the row
-- and the fields alone, and the rows go with the person.
CREATE TABLE identity.profile_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES identity.users,
  changed_by bigint NOT NULL REFERENCES identity.users,
  at timestamptz NOT NULL,
  before jsonb NOT NULL CHECK (jsonb_typeof(before) = 'object'),
  after jsonb NOT NULL CHECK (jsonb_typeof(after) = 'object')
);
CREATE INDEX profile_changes_of_user ON identity.profile_changes (user_id, id DESC);
