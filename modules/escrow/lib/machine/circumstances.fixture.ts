import { administratorCircumstances } from "./administrator-circumstances.fixture.ts";
import { cancellationCircumstances } from "./cancellation-circumstances.fixture.ts";
import type { Circumstance } from "./circumstance-line.fixture.ts";
import { disputeCircumstances } from "./dispute-circumstances.fixture.ts";
import { exchangeCircumstances } from "./exchange-circumstances.fixture.ts";
import { paymentCircumstances } from "./payment-circumstances.fixture.ts";

/** What the table of states cannot show: the same state reached in another way. */
export const circumstances: Circumstance[] = [
  ...paymentCircumstances,
  ...exchangeCircumstances,
  ...cancellationCircumstances,
  ...disputeCircumstances,
  ...administratorCircumstances,
];
