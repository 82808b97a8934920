/** How many days addresses and devices are kept, as the privacy policy promises. */
export const TRACE_DAYS = 30;
/** How many days entries about sign-in and the system are kept. */
export const LOG_DAYS = 90;
/** How many years entries about messages and accounts are kept; the same as messages and transactions. */
export const RECORD_YEARS = 2;
