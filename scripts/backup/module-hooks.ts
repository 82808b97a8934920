import type { ProvedArchive } from "#db/backup/load-archive";
import type { Manifest } from "#db/backup/manifest";
import type { Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { formatLongMoment } from "#format";
import { supportedLanguages, translateText } from "#locales";
import { beginEraAfterRestore, findChainHead, recordAuditEntry, verifyChainWithin } from "#modules/audit";
import { canOpenEvidenceKey, registerTradeProof } from "#modules/escrow";
import { endEverySession } from "#modules/identity";
import { haltAfterRestore, verifyLedgerWithin } from "#modules/payments";
import { hasPictureFile, pictureFiles } from "#modules/rooms";

/** What the modules contribute to a backup. */
export const backupSources = {
  files: pictureFiles,
  stillNamed: hasPictureFile,
  keyFits: canOpenEvidenceKey,
  async ledger(tx: Tx): Promise<Manifest["ledger"]> {
    const withdraw = registerTradeProof();
    const { ok, sums } = await verifyLedgerWithin(tx).finally(withdraw);
    return { whole: ok, sums };
  },
  async head(tx: Tx): Promise<Manifest["head"]> {
    const found = await findChainHead(tx);
    return found && { block: found.block, head: found.head };
  },
};

/** What is verified of a restored database, and what is done with it before it serves anybody. */
export const restoreSinks = {
  async prove(tx: Tx, { ledger, head: saved, files }: Manifest): Promise<string[]> {
    const otherwise: string[] = [];
    // Without the checks of trades that an older version did not make, because such an archive must remain restorable.
    const books = await verifyLedgerWithin(tx);
    const sums = Object.entries(books.sums).filter(([name, sum]) => ledger.sums[name] !== sum);
    if (sums.length > 0) otherwise.push(`the ledger's ${sums.map(([name]) => name).join(", ")}`);
    if (ledger.whole && !books.ok) otherwise.push("the ledger no longer passes verification");
    const log = await verifyChainWithin(tx, {
      anchor: saved ? { block: saved.block, head: saved.head } : undefined,
    });
    if (!log.ok && log.chain) otherwise.push(`the log is broken at block ${log.block}: ${log.reason}`);
    // What was altered before the backup is altered in it too, and is named as before: refusing it would leave nothing to restore.
    if (!log.ok && !log.chain) console.error(`The log is intact, but ${log.reason}.`);
    let named = 0;
    for await (const _ of pictureFiles(tx)) named += 1;
    if (named !== files.count + files.missing.length) otherwise.push(`rows name ${named} files`);
    return otherwise;
  },
  async settle(tx: Tx, { manifest, digest }: ProvedArchive): Promise<void> {
    const at = currentTime();
    await beginEraAfterRestore(tx);
    const sessionsEnded = await endEverySession(tx);
    const { takenAt, migration } = manifest.header;
    const data = {
      takenAt,
      digest,
      migration: migration.tag,
      block: manifest.head?.block ?? 0,
      sessionsEnded,
    };
    await recordAuditEntry(tx, { by: { userId: null }, action: "backup_restored", at, data });
    const reason = supportedLanguages
      .map((language) =>
        translateText(language, "admin.moneyDesk.restored", { moment: formatLongMoment(takenAt, language) }),
      )
      .join("\n");
    await haltAfterRestore(tx, { reason, at });
  },
};
