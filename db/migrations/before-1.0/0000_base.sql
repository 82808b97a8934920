-- What stands below every module: throttles and the heartbeat.
CREATE SCHEMA base;

-- Until when each key has used up its allowance. Losing it in a crash only forgives attempts, so it is not logged.
CREATE UNLOGGED TABLE base.throttle (
  key text PRIMARY KEY,
  spent_until timestamptz NOT NULL
);
CREATE INDEX throttle_spent_until ON base.throttle (spent_until);

-- When any instance last said that it runs; a single row, so that one instance alone claims a gap.
CREATE TABLE base.heartbeat (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  beat_at timestamptz NOT NULL
);
