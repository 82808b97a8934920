/** How long addresses and devices are kept, in days: the privacy policy's promise (specification §9). */
export const TRACE_DAYS = 30;
/** How long entries of signing in and of the system are kept, in days. */
export const LOG_DAYS = 90;
/** How long entries of the talk and of accounts are kept, in years, as the talk itself and transactions are. */
export const RECORD_YEARS = 2;
