export {
  BACKUP_LATE_HOURS,
  type BackupStatus,
  backupStatus,
  DRILL_LATE_DAYS,
} from "./lib/backups/backup-status.ts";
export { type ChainHead, findChainHead } from "./lib/chain/chain-head.ts";
export {
  enqueueLogCheck,
  enqueueLogCheckIfWhole,
  type LogCheck,
  lastLogCheck,
  logVerificationState,
  registerLogAlarm,
} from "./lib/chain/check-chain.ts";
export { type EntryProof, type ProvedBlock, proveEntries } from "./lib/chain/prove-entry.ts";
export { beginEraAfterRestore } from "./lib/chain/restore-era.ts";
export { sealBlocks } from "./lib/chain/seal-blocks.ts";
export { type VerifiedChain, verifyChain, verifyChainWithin } from "./lib/chain/verify-chain.ts";
export { LOG_DAYS, RECORD_YEARS, TRACE_DAYS } from "./lib/core/retention-periods.ts";
export { startAudit, stopAudit } from "./lib/core/start.ts";
export {
  countEntries,
  type Entry,
  type EntryFilter,
  type EntryPage,
  hasEntry,
  listEntries,
} from "./lib/entries/list-entries.ts";
export { type AuditActor, type NewEntry, recordAuditEntry } from "./lib/entries/record-entry.ts";
export {
  ANCHOR_LATE_HOURS,
  type AnchorStatus,
  anchorHead,
  anchorLateSince,
  type HeadMailer,
  readAnchorStatus,
  registerHeadMailer,
} from "./lib/heads/anchor-heads.ts";
export { type HeadSigner, registerHeadSigner, type SignedHead, signedHead } from "./lib/heads/sign-head.ts";
export {
  areEarlierSealed,
  erasedMessages,
  journalDigests,
  maxNamedRecords,
  messageDigests,
  nextLoggedRoom,
  recordEarlierSealed,
} from "./lib/records/record-digests.ts";
export {
  type RecordsChecked,
  registerSealedRecords,
  type SealedRecords,
} from "./lib/records/record-registry.ts";
export { enqueueSealEarlier, sealEarlierRecords } from "./lib/records/seal-earlier-records.ts";
export {
  acceptRow,
  digestOfRow,
  isAltered,
  RecordAltered,
  refuseAltered,
  registerSealedRows,
  rowLabels,
  type SealedRows,
} from "./lib/records/sealed-rows.ts";
