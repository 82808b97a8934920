-- The daily comparison of the provider's list with our books, and what of the two does not agree.

-- One row for each run of a day, also for one that the provider did not answer (`failure`).
CREATE TABLE payments.reconciliation_runs (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day         date NOT NULL,
  begun_at    timestamptz NOT NULL,
  -- Null: the morning's job.
  begun_by    bigint,
  failure     text CHECK (failure IN ('PROVIDER_UNAVAILABLE', 'PROVIDER_REFUSED')),
  there_count integer CHECK (there_count >= 0),
  there_sum   bigint CHECK (there_sum >= 0),
  here_count  integer CHECK (here_count >= 0),
  here_sum    bigint,
  -- Differences in force after it, those among them that are new, and those that had vanished.
  found       integer CHECK (found >= 0),
  opened      integer CHECK (opened BETWEEN 0 AND found),
  vanished    integer CHECK (vanished >= 0),
  CONSTRAINT reconciliation_runs_answer CHECK (
    num_nulls(there_count, there_sum, here_count, here_sum, found, opened, vanished)
      = CASE WHEN failure IS NULL THEN 0 ELSE 7 END
  )
);
CREATE INDEX reconciliation_runs_day ON payments.reconciliation_runs (day, begun_at) WHERE failure IS NULL;

-- One row for each difference, once: what it is about (`subject`) and the figures of both sides (`figures`) tell it apart.
CREATE TABLE payments.reconciliation_tasks (
  id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  day                 date NOT NULL,
  cause               text NOT NULL CHECK (cause IN (
                        'missing_here', 'missing_there', 'by_hand', 'amount', 'status', 'refunded_there', 'uncountable',
                        'duplicate')),
  subject             text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 200),
  figures             text NOT NULL,
  provider_payment_id text,
  payment_id          bigint REFERENCES payments.payments (id),
  reference           bigint,
  there_amount        bigint,
  there_status        text,
  here_amount         bigint,
  found_at            timestamptz NOT NULL,
  seen_at             timestamptz NOT NULL,
  state               text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'resolved', 'vanished')),
  closed_at           timestamptz,
  resolved_by         bigint,
  note                text,
  UNIQUE (day, cause, subject, figures),
  CONSTRAINT reconciliation_tasks_closed CHECK ((state = 'open') = (closed_at IS NULL)),
  CONSTRAINT reconciliation_tasks_resolved CHECK (
    (state = 'resolved') = (resolved_by IS NOT NULL) AND (resolved_by IS NULL) = (note IS NULL)
  )
);
CREATE INDEX reconciliation_tasks_open ON payments.reconciliation_tasks (day, id) WHERE state = 'open';

-- What a day's comparison and its list of transfers read.
CREATE INDEX payments_paid ON payments.payments (paid_at);
CREATE INDEX payouts_sent ON payments.payouts (sent_at, id) WHERE sent_at IS NOT NULL;
