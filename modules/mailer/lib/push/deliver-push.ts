import { and, eq, inArray, isNull } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { sendMail } from "../sending/send-mail.ts";
import { type HandoverResult, handToService } from "./hand-to-service.ts";
import { contentOf } from "./push-content.ts";
import { lifetimeOf } from "./push-events.ts";
import { type PushReader, pushReaderOf } from "./push-reader.ts";
import { type PushRow, pushesTable, pushSubscriptionsTable, type SubscriptionRow } from "./schema.ts";

type RetryLater = (tx: Tx, startAfter: Date) => Promise<void>;
type TriedDevice = { device: SubscriptionRow; handed: HandoverResult };

const MAX_ATTEMPTS = 8;
/** After this many failed pushes in a row a device is forgotten. */
const MAX_FAILURES = 10;
const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = 3600;

/**
 * Delivers one row of the outbox to each device of its user that has not had it yet. A device whose push service is not ready is tried
 * again later (`again`); the others do not get it twice. A crash after the service accepted it but before that is recorded repeats the
 * notification, which replaces the first.
 */
export async function deliverPush(id: number, again: RetryLater): Promise<void> {
  const [row] = await db()
    .select()
    .from(pushesTable)
    .where(and(eq(pushesTable.id, id), isNull(pushesTable.endedAt)));
  if (row === undefined) return;
  const at = currentTime();
  const reader = await pushReaderOf(db(), row.userId, row.event, at);
  const stale = at.getTime() - row.createdAt.getTime() > lifetimeOf(row.event) * 1000;
  const devices = reader === undefined || stale ? [] : await devicesFor(row);
  const tried =
    reader === undefined ? [] : await Promise.all(devices.map((device) => pushToDevice(row, reader, device)));
  await runInTransaction(async (tx) => {
    const waiting = await recordOutcomes(tx, row, tried, at);
    const taken = row.taken || tried.some(({ handed }) => handed.kind === "taken");
    if (waiting.length === 0) return endPush(tx, row, taken, at);
    const attempts = row.attempts + 1;
    const ids = waiting.map(({ device }) => device.id);
    await tx.update(pushesTable).set({ waiting: ids, taken, attempts }).where(eq(pushesTable.id, id));
    await again(tx, new Date(at.getTime() + pauseOf(row.attempts, waiting) * 1000));
  });
}

function devicesFor({ userId, waiting }: PushRow): Promise<SubscriptionRow[]> {
  const left = waiting === null ? undefined : inArray(pushSubscriptionsTable.id, waiting);
  return db()
    .select()
    .from(pushSubscriptionsTable)
    .where(and(eq(pushSubscriptionsTable.userId, userId), left));
}

async function pushToDevice(row: PushRow, reader: PushReader, device: SubscriptionRow): Promise<TriedDevice> {
  const handed = await handToService(device, row.event, contentOf(row, reader));
  return { device, handed };
}

/** Records the outcome of each device's push. Returns those to be tried again. */
async function recordOutcomes(tx: Tx, row: PushRow, tried: TriedDevice[], at: Date): Promise<TriedDevice[]> {
  const last = row.attempts + 1 >= MAX_ATTEMPTS;
  const waiting: TriedDevice[] = [];
  for (const one of tried) {
    const { device, handed } = one;
    // A device that was registered again meanwhile has other keys: an outcome under the old keys does not concern it.
    const it = and(eq(pushSubscriptionsTable.id, device.id), eq(pushSubscriptionsTable.auth, device.auth));
    if (handed.kind === "taken")
      await tx.update(pushSubscriptionsTable).set({ usedAt: at, failures: 0 }).where(it);
    else if (handed.kind === "later" && !last) waiting.push(one);
    else if (handed.kind === "gone" || device.failures + 1 >= MAX_FAILURES) {
      await tx.delete(pushSubscriptionsTable).where(it);
    } else {
      await tx
        .update(pushSubscriptionsTable)
        .set({ failures: device.failures + 1 })
        .where(it);
    }
  }
  return waiting;
}

/** The pause in seconds: 15, 60, 240 and so on, or longer if a service asks for it; at most an hour. */
function pauseOf(attempts: number, waiting: TriedDevice[]): number {
  const asked = waiting.map(({ handed }) => (handed.kind === "later" ? handed.retryAfterSeconds : 0));
  return Math.min(LONGEST_PAUSE_SECONDS, Math.max(FIRST_PAUSE_SECONDS * 4 ** attempts, ...asked));
}

/** Ends the row and erases its content. If no device took the push, sends the mail in `otherwise`. */
async function endPush(tx: Tx, { id, otherwise }: PushRow, taken: boolean, at: Date): Promise<void> {
  const [ended] = await tx
    .update(pushesTable)
    .set({ taken, params: {}, otherwise: null, waiting: [], endedAt: at })
    .where(and(eq(pushesTable.id, id), isNull(pushesTable.endedAt)))
    .returning({ id: pushesTable.id });
  if (ended !== undefined && !taken && otherwise !== null) await sendMail(tx, otherwise);
}
