-- Filters of the back office's lists that an administrator keeps by name. The query is what follows the "?" of the list's own
-- address, in that page's words; no address of another place can stand in it.
CREATE TABLE identity.saved_filters (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES identity.users,
  page text NOT NULL CHECK (page IN ('transactions', 'users', 'activity-logs')),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
  query text NOT NULL CHECK (char_length(query) BETWEEN 1 AND 4000),
  created_at timestamptz NOT NULL,
  UNIQUE (user_id, page, name)
);
