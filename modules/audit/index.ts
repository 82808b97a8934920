export {
  BACKUP_LATE_HOURS,
  type BackupStatus,
  backupStatus,
  DRILL_LATE_DAYS,
} from "./lib/backups.ts";
export {
  alarmLogWith,
  type Check,
  checkSoon,
  checkSoonIfWhole,
  lastCheck,
  logStanding,
} from "./lib/check.ts";
export { beginEraAfterRestore } from "./lib/era.ts";
export { type Block, head } from "./lib/head.ts";
export {
  ANCHOR_LATE_HOURS,
  type AnchorStanding,
  anchorHead,
  anchorLateSince,
  anchorStanding,
  type HeadMailer,
  mailHeadsWith,
} from "./lib/heads/anchor.ts";
export { type HeadSigner, type SignedHead, signedHead, signHeadsWith } from "./lib/heads/sign-head.ts";
export { LOG_DAYS, RECORD_YEARS, TRACE_DAYS } from "./lib/keeping.ts";
export { countEntries, type Entry, type Filter, hasEntry, list, type Page } from "./lib/list.ts";
export { type Proof, type ProvedBlock, prove } from "./lib/prove.ts";
export { type By, type NewEntry, record } from "./lib/record.ts";
export { sealEarlierRecords, sealEarlierSoon } from "./lib/records/catch-up.ts";
export {
  earlierSealed,
  erasedMessages,
  journalDigests,
  messageDigests,
  NAMED,
  nextLoggedRoom,
  recordEarlierSealed,
} from "./lib/records/digests.ts";
export { type RecordsChecked, registerSealedRecords, type SealedRecords } from "./lib/records/registry.ts";
export {
  acceptRow,
  digestOfRow,
  isAltered,
  RecordAltered,
  refuseAltered,
  registerSealedRows,
  rowLabels,
  type SealedRows,
} from "./lib/records/rows.ts";
export { seal } from "./lib/seal.ts";
export { startAudit, stopAudit } from "./lib/start.ts";
export { type Verified, verify, verifyWithin } from "./lib/verify.ts";
