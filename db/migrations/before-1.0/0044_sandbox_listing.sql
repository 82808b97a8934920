-- How the sandbox lists a payment: not before it is told to (a list that lags), or under the name of another invoice.
ALTER TABLE sandbox.payments
  ADD COLUMN listed boolean NOT NULL DEFAULT true,
  ADD COLUMN names_invoice text;
