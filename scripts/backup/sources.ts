import type { Proved } from "#db/backup/load";
import type { Manifest } from "#db/backup/manifest";
import type { Tx } from "#db/client";
import { now } from "#db/clock";
import { moment } from "#format";
import { languages, text } from "#locales";
import { beginEraAfterRestore, head, record, verifyWithin } from "#modules/audit";
import { opensEvidenceKey, registerTradeProof } from "#modules/escrow";
import { endEverySession } from "#modules/identity";
import { haltAfterRestore, verifyLedgerWithin } from "#modules/payments";
import { pictureFiles, pictureNamed } from "#modules/rooms";

/** What the modules say of their own for a backup. */
export const sources = {
  files: pictureFiles,
  stillNamed: pictureNamed,
  keyFits: opensEvidenceKey,
  async ledger(tx: Tx): Promise<Manifest["ledger"]> {
    const withdraw = registerTradeProof();
    const { ok, sums } = await verifyLedgerWithin(tx).finally(withdraw);
    return { whole: ok, sums };
  },
  async head(tx: Tx): Promise<Manifest["head"]> {
    const found = await head(tx);
    return found && { block: found.block, head: found.head };
  },
};

/** What is to be proved of a restored database, and what is done with it before anybody is served. */
export const sinks = {
  async prove(tx: Tx, { ledger, head: saved, files }: Manifest): Promise<string[]> {
    const otherwise: string[] = [];
    // Without what an older version, whose archive this may be, did not prove of its trades: they must come back all the same.
    const books = await verifyLedgerWithin(tx);
    const sums = Object.entries(books.sums).filter(([name, sum]) => ledger.sums[name] !== sum);
    if (sums.length > 0) otherwise.push(`the ledger's ${sums.map(([name]) => name).join(", ")}`);
    if (ledger.whole && !books.ok) otherwise.push("the ledger proves itself no more");
    const log = await verifyWithin(tx, {
      anchor: saved ? { block: saved.block, head: saved.head } : undefined,
    });
    if (!log.ok && log.chain) otherwise.push(`the log is broken at block ${log.block}: ${log.reason}`);
    // What was altered before the backup comes back altered, and is named as before: refusing it would leave nothing to restore.
    if (!log.ok && !log.chain) console.error(`The log is whole, but ${log.reason} beside it.`);
    let named = 0;
    for await (const _ of pictureFiles(tx)) named += 1;
    if (named !== files.count + files.missing.length) otherwise.push(`rows name ${named} files`);
    return otherwise;
  },
  async settle(tx: Tx, { manifest, digest }: Proved): Promise<void> {
    const at = now();
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
    await record(tx, { by: { userId: null }, action: "backup_restored", at, data });
    const params = { moment: moment(new Date(takenAt)) };
    const reason = languages.map((language) => text(language, "admin.moneyDesk.restored", params)).join("\n");
    await haltAfterRestore(tx, { reason, at });
  },
};
