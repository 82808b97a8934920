-- The pieces of three letters a text is made of: what a search for any part of it is looked up by, in any script and
-- any locale (pg_trgm passes over Cyrillic in a database whose LC_CTYPE is C). Dear, so that the planner keeps it for indexes.
CREATE FUNCTION escrow.trigrams(words text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 100
  RETURN ARRAY(SELECT DISTINCT substr(words, n, 3) FROM generate_series(1, char_length(words) - 2) AS n);

-- What administrators search in: the code and the description, each word with a space before and after it.
CREATE FUNCTION escrow.search_words(code text, description text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ' ' || lower(code) || ' ' || lower(coalesce(description, '')) || ' ';

CREATE INDEX trades_words ON escrow.trades USING gin (escrow.trigrams(escrow.search_words(code, description)))
  WHERE hidden_at IS NULL;
CREATE INDEX trades_by_status ON escrow.trades (status, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX trades_by_amount ON escrow.trades (amount DESC, id DESC) WHERE hidden_at IS NULL;

-- What happened to a trade and to its money, for the administrators' page of it; messages and connections are left out.
CREATE INDEX entries_of_money ON audit.entries (subject_kind, subject_id, at DESC, id DESC)
  WHERE subject_kind IN ('transaction', 'payout', 'refund');
