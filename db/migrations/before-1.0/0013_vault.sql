-- The hand-over vault: what the seller seals for the buyer.

-- A record and its moments. These stay, to settle "I never got it"; the sealed text goes with the trade's end.
CREATE TABLE escrow.vaults (
  id uuid PRIMARY KEY,
  trade_id bigint NOT NULL REFERENCES escrow.trades,
  version integer NOT NULL CHECK (version >= 1),
  -- Of the form or the call that sealed it, so that pressing twice seals once.
  client_id uuid,
  sealed_by bigint NOT NULL,
  sealed_at timestamptz NOT NULL,
  -- The buyer's first opening, and how many there were.
  opened_at timestamptz,
  opened_count integer NOT NULL DEFAULT 0,
  -- What the buyer says to have done since.
  password_at timestamptz,
  second_factor_at timestamptz,
  recovery_at timestamptz,
  reminded_at timestamptz,
  -- Replaced by a later record, or the trade has ended.
  destroyed_at timestamptz,
  body bytea,
  CONSTRAINT vaults_version UNIQUE (trade_id, version),
  CONSTRAINT vaults_client UNIQUE (trade_id, client_id),
  CONSTRAINT vaults_opened CHECK ((opened_at IS NULL) = (opened_count = 0)),
  CONSTRAINT vaults_checked CHECK (
    num_nonnulls(password_at, second_factor_at, recovery_at, reminded_at) = 0 OR opened_at IS NOT NULL
  ),
  CONSTRAINT vaults_destroyed CHECK ((body IS NULL) = (destroyed_at IS NOT NULL))
);
CREATE UNIQUE INDEX vaults_live ON escrow.vaults (trade_id) WHERE destroyed_at IS NULL;

-- The key of each record, itself encrypted. In a table of its own: a backup that leaves this table out holds no record
-- that can be read, whatever becomes of the encryption key.
CREATE TABLE escrow.vault_keys (
  vault_id uuid PRIMARY KEY REFERENCES escrow.vaults,
  key bytea NOT NULL
);

CREATE FUNCTION escrow.keep_vault() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.trade_id, NEW.version, NEW.client_id, NEW.sealed_by, NEW.sealed_at) IS DISTINCT FROM
       (OLD.id, OLD.trade_id, OLD.version, OLD.client_id, OLD.sealed_by, OLD.sealed_at)
     OR NEW.opened_count < OLD.opened_count
     OR (OLD.opened_at IS NOT NULL AND NEW.opened_at IS DISTINCT FROM OLD.opened_at)
     OR (OLD.password_at IS NOT NULL AND NEW.password_at IS DISTINCT FROM OLD.password_at)
     OR (OLD.second_factor_at IS NOT NULL AND NEW.second_factor_at IS DISTINCT FROM OLD.second_factor_at)
     OR (OLD.recovery_at IS NOT NULL AND NEW.recovery_at IS DISTINCT FROM OLD.recovery_at)
     OR (OLD.destroyed_at IS NOT NULL AND NEW.destroyed_at IS DISTINCT FROM OLD.destroyed_at)
     OR (NEW.body IS NOT NULL AND NEW.body IS DISTINCT FROM OLD.body) THEN
    RAISE EXCEPTION 'escrow.vaults: what was sealed, opened and destroyed stays so';
  END IF;
  -- Nothing is destroyed while its key is left.
  IF NEW.destroyed_at IS NOT NULL THEN
    DELETE FROM escrow.vault_keys WHERE vault_id = NEW.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_vault BEFORE UPDATE ON escrow.vaults FOR EACH ROW EXECUTE FUNCTION escrow.keep_vault();
CREATE TRIGGER refuse_delete BEFORE DELETE ON escrow.vaults FOR EACH ROW EXECUTE FUNCTION escrow.refuse_delete();

CREATE FUNCTION escrow.keep_vault_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'escrow.vault_keys: a key is made once and destroyed once';
END $$;
CREATE TRIGGER keep_vault_key BEFORE UPDATE ON escrow.vault_keys
  FOR EACH ROW EXECUTE FUNCTION escrow.keep_vault_key();

-- However a trade ends, it cannot be committed with a vault that can still be opened.
CREATE FUNCTION escrow.ended_without_vault() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM escrow.vaults WHERE trade_id = NEW.id AND destroyed_at IS NULL) THEN
    RAISE EXCEPTION 'escrow.trades: trade % ended and left its vault', NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ended_without_vault AFTER UPDATE OF ended_at ON escrow.trades
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL)
  EXECUTE FUNCTION escrow.ended_without_vault();
