export type { BackupStatus } from "./lib/backups/backup-status.ts";
export type { ChainHead } from "./lib/chain/chain-head.ts";
export type { LogCheck } from "./lib/chain/check-chain.ts";
export type { AnchorStatus } from "./lib/heads/anchor-heads.ts";
