-- Whoever of the administrators took a case; nobody else rules on it meanwhile.
ALTER TABLE escrow.disputes
  ADD COLUMN taken_by bigint,
  ADD COLUMN taken_at timestamptz,
  ADD CONSTRAINT disputes_taken CHECK ((taken_by IS NULL) = (taken_at IS NULL));

-- The key that bundles of evidence are signed by. Here, beside what it signs for: every instance needs the same one, and it is
-- kept, backed up and restored with the rest. The private half is sealed.
CREATE TABLE escrow.evidence_key (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  public_key text NOT NULL,
  private_key bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- How a block was digested: 1, over the lines of its entries; 2, over the digests of the lines, so that one entry can be proved
-- to somebody who must not read its neighbours.
ALTER TABLE audit.blocks ADD COLUMN form smallint NOT NULL DEFAULT 1 CHECK (form IN (1, 2));
-- Which block an entry lies in: the first that ends after it.
CREATE INDEX blocks_end ON audit.blocks (to_era, to_xid);
