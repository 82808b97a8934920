export { alarmLogWith, type Check, checkSoon, lastCheck, logStanding } from "./lib/check.ts";
export { type Block, head } from "./lib/head.ts";
export { LOG_DAYS, RECORD_YEARS, TRACE_DAYS } from "./lib/keeping.ts";
export { countEntries, type Entry, type Filter, list, type Page } from "./lib/list.ts";
export { type Proof, type ProvedBlock, prove } from "./lib/prove.ts";
export { type By, type NewEntry, record } from "./lib/record.ts";
export { seal } from "./lib/seal.ts";
export { startAudit, stopAudit } from "./lib/start.ts";
export { type Verified, verify } from "./lib/verify.ts";
