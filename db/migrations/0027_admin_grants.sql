-- Who made whom an administrator, and when: for seven days the two are one pair of eyes. Nobody stands behind those of before.
ALTER TABLE identity.users
  ADD COLUMN admin_granted_by bigint REFERENCES identity.users,
  ADD COLUMN admin_granted_at timestamptz,
  ADD CONSTRAINT users_admin_grant CHECK ((admin_granted_by IS NULL) = (admin_granted_at IS NULL));
CREATE INDEX users_admin_grants ON identity.users (admin_granted_at) WHERE admin_granted_at IS NOT NULL;
