import { afterEach, expect, mock, setSystemTime, spyOn, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import { overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { withdrawUnansweredInvoices } from "../core/start.ts";
import { loggedOf } from "../ledger/money.fixture.ts";
import { checkInvoices } from "../provider/check-invoices.ts";
import { impatient, newReference, opened, reserve, useSandbox } from "../provider/provider.fixture.ts";
import { computeChecksum } from "../sandbox/emv-qr.ts";
import { providerInvoicesTable, invoicesTable as table } from "../schema/provider.ts";
import { cancelInvoices, withdrawEndedInvoices } from "./cancel-invoices.ts";
import {
  countInvoices,
  drawQr,
  invoiceById,
  invoiceQrPng,
  isUuid,
  listInvoices,
  liveInvoice,
} from "./invoices.ts";
import { isInvoiceBeingOpened, openInvoice } from "./open-invoice.ts";
import { reserveInvoice } from "./reserve-invoice.ts";

useDatabase();
const sandbox = useSandbox();
const creations = (invoiceId: string) =>
  db()
    .select()
    .from(providerInvoicesTable)
    .where(eq(providerInvoicesTable.invoiceId, invoiceId))
    .orderBy(providerInvoicesTable.id);

afterEach(() => {
  mock.restore();
  setSystemTime();
});

test("an invoice is stored completely from its reservation to its end, and each step is logged", async () => {
  const reference = newReference();
  const at = (minutes: number) => new Date(Date.parse("2026-03-01T10:00:00Z") + minutes * 60_000);
  const { invoiceId: id } = await reserve(reference, 55_000, at(0));
  const nothing = { providerId: null, qrText: null, shortUrl: null, bankLinks: [] };
  const reserved = {
    id,
    reference,
    amount: 55_000,
    state: "reserved",
    createdAt: at(0),
    ...nothing,
  } as const;
  expect(await listInvoices(db(), reference)).toEqual([{ ...reserved, qrImageUrl: null, expiresAt: at(10) }]);
  expect(await invoiceQrPng(db(), id)).toBeNull();
  let putBack = setClock(() => at(3));
  const outcome = await openInvoice(id).finally(putBack);
  const [creation] = await creations(id);
  const providerId = creation?.providerId ?? "";
  expect(creation).toMatchObject({ state: "opened", senderInvoiceNo: `${id}-1`, refusal: null });
  const [row] = await db().select().from(table).where(eq(table.id, id));
  const payable = { providerId, qrText: row?.qrText ?? "", shortUrl: row?.shortUrl ?? "" };
  const open = {
    ...reserved,
    ...payable,
    state: "open",
    bankLinks: row?.bankLinks ?? [],
    expiresAt: at(13),
  } as const;
  expect(row).toEqual({ ...open, description: "MM-1", openedAt: at(3), endedAt: null });
  expect(open.shortUrl).not.toBe("");
  expect(outcome).toEqual({ ok: true, invoice: { ...open, qrImageUrl: `/qr/${id}.png` } });
  putBack = setClock(() => at(7));
  expect(await cancelInvoices(reference).finally(putBack)).toMatchObject({ ended: 1, withdrawn: 1 });
  const [ended] = await db().select().from(table).where(eq(table.id, id));
  expect(ended).toEqual({
    ...open,
    description: "MM-1",
    openedAt: at(3),
    state: "cancelled",
    endedAt: at(7),
  });
  expect(await countInvoices(db(), reference)).toBe(1);
  expect(await loggedOf("invoice", id)).toEqual(
    [
      { action: "invoice.reserved", at: at(0), data: { reference, amount: 55_000 } },
      { action: "invoice.opened", at: at(3), data: { creation: creation?.id, providerId, refusal: null } },
      { action: "invoice.cancelled", at: at(7), data: { reference } },
    ].map((entry) => ({ ...entry, userId: null })),
  );
});

test("an invoice's description is cut where the provider would, between letters, and is never empty", async () => {
  const described = async (description: string) => {
    const input = { reference: newReference(), amount: 1, description, at: new Date() };
    const { invoiceId } = await runInTransaction((tx) => reserveInvoice(tx, input));
    const [row] = await db().select().from(table).where(eq(table.id, invoiceId));
    return row?.description;
  };
  expect(await described("")).toBe("Midman");
  expect(await described("🦊".repeat(256))).toBe("🦊".repeat(255));
});

test("a QR code has its quiet zone and is large enough for a cheap camera", async () => {
  const png = PNG.sync.read(Buffer.from(await drawQr("A")));
  const pixel = (at: number) => png.data[(at * png.width + at) * 4];
  expect([png.width, png.height]).toEqual([(21 + 2 * 4) * 8, (21 + 2 * 4) * 8]);
  expect([pixel(4 * 8 - 1), pixel(4 * 8)]).toEqual([255, 0]);
});

test("an opened invoice has a QR code that decodes to its text, and links that only open apps", async () => {
  const reference = newReference();
  const invoice = await opened(reference, 55_000);
  expect(invoice).toMatchObject({
    reference,
    amount: 55_000,
    state: "open",
    qrImageUrl: `/qr/${invoice.id}.png`,
  });
  const png = PNG.sync.read(Buffer.from((await invoiceQrPng(db(), invoice.id)) ?? []));
  const read = jsQR(new Uint8ClampedArray(png.data), png.width, png.height);
  expect(read?.data).toBe(invoice.qrText ?? "");
  expect(invoice.qrText).toEndWith(computeChecksum(invoice.qrText?.slice(0, -4) ?? ""));
  expect(invoice.bankLinks).toHaveLength(23);
  expect(invoice.bankLinks[1]).toEqual({
    name: "Khan bank",
    description: "Хаан банк",
    logo: "",
    link: `khanbank://q?qPay_QRcode=${invoice.qrText}`,
  });
  expect(await liveInvoice(db(), reference)).toEqual(invoice);
});

test("opening it again, or fifty times at once, creates one invoice at the provider", async () => {
  const { invoiceId } = await reserve(newReference(), 10_000);
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => openInvoice(invoiceId)));
  expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.invoice.providerId)).size).toBe(1);
  expect(await openInvoice(invoiceId)).toMatchObject({ ok: true });
  expect(await sandbox.count("invoice")).toBe(1);
});

test("at most one invoice of a reference is live: reserving replaces it, and the database refuses a second", async () => {
  const reference = newReference();
  const first = await opened(reference, 10_000);
  const { invoiceId } = await reserve(reference, 20_000);
  expect((await listInvoices(db(), reference)).map(({ id, state }) => [id, state])).toEqual([
    [first.id, "cancelled"],
    [invoiceId, "reserved"],
  ]);
  const second = db().execute(sql`
    INSERT INTO payments.invoices (id, reference, amount, description, created_at, expires_at)
    VALUES (gen_random_uuid(), ${reference}, 1, 'x', now(), now() + interval '1 minute')`);
  await expect(second.then(() => "taken")).rejects.toThrow();
});

test.each([
  ["amount = amount + 1", "what an invoice says"],
  ["reference = reference + 1", "what an invoice says"],
  ["state = 'open', ended_at = NULL", "never becomes"],
])("an ended invoice accepts no %s", async (change, message) => {
  const reference = newReference();
  const invoice = await opened(reference, 10_000);
  await cancelInvoices(reference);
  const changing = db().execute(sql.raw(`UPDATE payments.invoices SET ${change} WHERE id = '${invoice.id}'`));
  const reason = await changing.then(
    () => "",
    (error) => String(error.cause?.message),
  );
  expect(reason).toContain(message);
});

test("a refusal has the provider's code and leaves the invoice to be retried", async () => {
  const { invoiceId } = await reserve(newReference(), 10_000);
  await sandbox.told({ operation: "invoice", fail: 400, error: "MERCHANT_INACTIVE" });
  expect(await openInvoice(invoiceId)).toEqual({
    ok: false,
    code: "PROVIDER_REFUSED",
    providerCode: "MERCHANT_INACTIVE",
  });
  expect(await openInvoice(invoiceId)).toMatchObject({ ok: true });
  expect((await creations(invoiceId)).map(({ state, refusal }) => [state, refusal])).toEqual([
    ["refused", "MERCHANT_INACTIVE"],
    ["opened", null],
  ]);
});

test("without a provider nothing is sent, and the next attempt has its own number", async () => {
  const { invoiceId } = await reserve(newReference(), 10_000);
  overrideConfig({ ALLOW_SANDBOX: false });
  const outcome = await openInvoice(invoiceId).finally(() => overrideConfig({ ALLOW_SANDBOX: true }));
  expect(outcome).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
  const [creation] = await creations(invoiceId);
  expect(creation).toMatchObject({ state: "unsent", providerId: null });
  expect(creation?.refusal).toBeTruthy();
  const log = await loggedOf("invoice", invoiceId);
  expect(log.at(-1)).toMatchObject({
    action: "invoice.unsent",
    data: { creation: creation?.id, providerId: null, refusal: creation?.refusal },
  });
  expect(await openInvoice(invoiceId)).toMatchObject({ ok: true });
  expect((await creations(invoiceId))[1]?.senderInvoiceNo).toBe(`${invoiceId}-2`);
});

test("a missing invoice is not opened", async () => {
  const id = crypto.randomUUID();
  await expect(openInvoice(id)).rejects.toThrow(`there is no invoice ${id}`);
});

/** Waits until a creation has reached the provider, and makes it look older than its lease. */
async function seemsLost(invoiceId: string): Promise<void> {
  const ran = { sentAt: sql`clock_timestamp() - interval '46 seconds'` };
  const sent = eq(providerInvoicesTable.invoiceId, invoiceId);
  while ((await db().update(providerInvoicesTable).set(ran).where(sent).returning()).length === 0) {
    await Bun.sleep(5);
  }
  while ((await sandbox.count("invoice")) === 0) await Bun.sleep(5);
}

test("a creation overtaken by another is remembered and withdrawn, without affecting the other's invoice", async () => {
  const reference = newReference();
  const { invoiceId } = await reserve(reference, 10_000);
  await sandbox.told({ operation: "invoice", delayMs: 1_500 });
  const slow = openInvoice(invoiceId);
  await seemsLost(invoiceId);
  const quick = await openInvoice(invoiceId);
  expect(quick).toMatchObject({ ok: true });
  expect(await slow).toEqual(quick);
  const [overtaken, other] = await creations(invoiceId);
  expect([overtaken?.state, other?.state]).toEqual(["found", "opened"]);
  expect(quick.ok && quick.invoice.providerId).toBe(other?.providerId ?? "");
  expect((await loggedOf("invoice", invoiceId)).at(-1)).toMatchObject({
    ...{ action: "invoice.found", data: { creation: overtaken?.id, providerId: overtaken?.providerId } },
  });
  expect(await withdrawEndedInvoices(reference)).toEqual({ withdrawn: 1, paid: 0, unknown: 0 });
  expect((await creations(invoiceId)).map(({ withdrawal }) => withdrawal)).toEqual(["cancelled", null]);
  expect(await liveInvoice(db(), reference)).toEqual(quick.ok ? quick.invoice : null);
});

test("a creation overtaken by a failed one stays as it was", async () => {
  const { invoiceId } = await reserve(newReference(), 10_000);
  await sandbox.told({ operation: "invoice", loseReply: true, delayMs: 1_500 });
  const slow = openInvoice(invoiceId);
  await seemsLost(invoiceId);
  expect(await openInvoice(invoiceId)).toMatchObject({ ok: true });
  expect(await slow).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
  expect((await creations(invoiceId)).map(({ state }) => state)).toEqual(["lost", "opened"]);
});

test("a caller that waits for a creation elsewhere gives up after 15 seconds", async () => {
  const reference = newReference();
  const { invoiceId } = await reserve(reference, 10_000);
  expect(await isInvoiceBeingOpened(reference)).toBe(false);
  await db().execute(sql`
    INSERT INTO payments.provider_invoices (invoice_id, sender_invoice_no, secret_hash, sent_at)
    VALUES (${invoiceId}, ${`${invoiceId}-1`}, decode(repeat('00', 32), 'hex'), now() + interval '1 hour')`);
  expect(await isInvoiceBeingOpened(reference)).toBe(true);
  const waits: number[] = [];
  setSystemTime(new Date());
  spyOn(Bun, "sleep").mockImplementation(async (ms) => {
    waits.push(Number(ms));
    setSystemTime(Date.now() + Number(ms));
  });
  expect(await openInvoice(invoiceId)).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
  expect(waits.slice(0, 6)).toEqual([25, 50, 100, 200, 400, 500]);
  expect(Math.max(...waits)).toBe(500);
  const waited = waits.reduce((sum, ms) => sum + ms, 0);
  expect(waited).toBeWithin(15_000, 15_501);
  expect((await creations(invoiceId)).map(({ state }) => state)).toEqual(["sent"]);
});

test.each([
  ["a gateway swallows the reply", { loseReply: true }],
  ["the reply comes after our time-out", { delayMs: 700 }],
  ["the reply is a page of HTML", { garbage: "html" }],
  ["the reply is cut", { garbage: "cut" }],
])("when %s the creation is recorded as lost and the next one has its own number", async (_, act) => {
  const { invoiceId } = await reserve(newReference(), 10_000);
  if ("delayMs" in act) impatient();
  await sandbox.told({ operation: "invoice", ...act });
  expect(await openInvoice(invoiceId)).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
  expect(await sandbox.count("invoice")).toBe(1);
  expect(await invoiceById(db(), invoiceId)).toMatchObject({ state: "reserved", providerId: null });
  expect(await openInvoice(invoiceId)).toMatchObject({ ok: true });
  const known = await creations(invoiceId);
  expect(known.map(({ state, senderInvoiceNo }) => [state, senderInvoiceNo])).toEqual([
    ["lost", `${invoiceId}-1`],
    ["opened", `${invoiceId}-2`],
  ]);
});

test("money paid to an invoice whose reply was lost is found through its callback", async () => {
  const reference = newReference();
  const { invoiceId } = await reserve(reference, 10_000);
  await sandbox.told({ operation: "invoice", loseReply: true });
  await openInvoice(invoiceId);
  await openInvoice(invoiceId);
  const { paymentIds, callbacks } = await sandbox.pay(`${invoiceId}-1`);
  expect(callbacks).toEqual(["SUCCESS"]);
  const answer = await checkInvoices(reference, new Date(), { force: true });
  expect(answer).toMatchObject({ complete: true, asked: 2 });
  expect(answer.rows.map((row) => row.providerPaymentId)).toEqual(paymentIds);
  expect((await creations(invoiceId)).map(({ state }) => state)).toEqual(["found", "opened"]);
  await cancelInvoices(reference);
  expect((await creations(invoiceId)).map(({ withdrawal }) => withdrawal)).toEqual(["paid", null]);
});

test("a reply with only the invoice's id is unusable, and that id is checked anyway", async () => {
  const reference = newReference();
  const { invoiceId } = await reserve(reference, 10_000);
  await sandbox.told({ operation: "invoice", garbage: "bare" });
  expect(await openInvoice(invoiceId)).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
  const [creation] = await creations(invoiceId);
  expect(creation?.state).toBe("found");
  await sandbox.pay(creation?.providerId ?? null, { callback: false });
  expect((await checkInvoices(reference, new Date())).rows).toHaveLength(1);
});

test("an invoice replaced while it was being created is withdrawn as soon as it exists", async () => {
  const reference = newReference();
  const { invoiceId } = await reserve(reference, 10_000);
  await sandbox.told({ operation: "invoice", delayMs: 200 });
  const opening = openInvoice(invoiceId);
  await Bun.sleep(80);
  await reserve(reference, 12_000);
  expect(await opening).toEqual({ ok: false, code: "INVOICE_CLOSED" });
  expect((await creations(invoiceId))[0]).toMatchObject({ state: "opened", withdrawal: "cancelled" });
  expect((await checkInvoices(reference, new Date())).asked).toBe(1);
});

test("while a creation is running no check is complete", async () => {
  const reference = newReference();
  const { invoiceId } = await reserve(reference, 10_000);
  await sandbox.told({ operation: "invoice", delayMs: 200 });
  const opening = openInvoice(invoiceId);
  await Bun.sleep(80);
  expect((await checkInvoices(reference, new Date(), { force: true })).complete).toBe(false);
  await opening;
  expect((await checkInvoices(reference, new Date(), { force: true })).complete).toBe(true);
});

test("a creation whose process died counts as lost after its time", async () => {
  const { invoiceId } = await reserve(newReference(), 10_000);
  await db().execute(sql`
    INSERT INTO payments.provider_invoices (invoice_id, sender_invoice_no, secret_hash, sent_at)
    VALUES (${invoiceId}, ${`${invoiceId}-1`}, decode(repeat('00', 32), 'hex'), now() - interval '1 minute')`);
  expect(await openInvoice(invoiceId)).toMatchObject({ ok: true });
  expect((await creations(invoiceId)).map(({ state }) => state)).toEqual(["lost", "opened"]);
});

test("cancelling can be repeated, reports money already received, and retries unanswered ones", async () => {
  const reference = newReference();
  await opened(reference, 10_000);
  await sandbox.told({ operation: "cancelInvoice", fail: 500, nextCalls: 3 });
  expect(await cancelInvoices(reference)).toEqual({ ended: 1, withdrawn: 0, paid: 0, unknown: 1 });
  expect(await cancelInvoices(reference)).toEqual({ ended: 0, withdrawn: 1, paid: 0, unknown: 0 });
  expect(await cancelInvoices(reference)).toEqual({ ended: 0, withdrawn: 0, paid: 0, unknown: 0 });
  const paid = await opened(reference, 10_000);
  await sandbox.pay(paid.providerId, { callback: false });
  expect(await cancelInvoices(reference)).toEqual({ ended: 1, withdrawn: 0, paid: 1, unknown: 0 });
});

test("an unconfirmed withdrawal is retried by the job, for a day", async () => {
  const reference = newReference();
  const { id } = await opened(reference, 10_000);
  await sandbox.told({ operation: "cancelInvoice", fail: 500, nextCalls: 3 });
  await cancelInvoices(reference);
  await withdrawUnansweredInvoices(new Date(Date.now() + 25 * 3_600_000));
  expect((await creations(id))[0]?.withdrawal).toBeNull();
  await withdrawUnansweredInvoices(new Date());
  expect((await creations(id))[0]?.withdrawal).toBe("cancelled");
});

test("without a provider an ended invoice still has to be withdrawn", async () => {
  const reference = newReference();
  const { id } = await opened(reference, 10_000);
  overrideConfig({ ALLOW_SANDBOX: false });
  const outcome = await cancelInvoices(reference).finally(() => overrideConfig({ ALLOW_SANDBOX: true }));
  expect(outcome).toEqual({ ended: 1, withdrawn: 0, paid: 0, unknown: 1 });
  expect((await creations(id))[0]?.withdrawal).toBeNull();
});

test("an id is exactly a UUID", () => {
  const id = "0a1b2c3d-4e5f-6789-abcd-ef0123456789";
  expect([id, id.toUpperCase()].map(isUuid)).toEqual([true, true]);
  const others = [`x${id}`, `${id}x`, `${id}\n`, id.slice(1), id.slice(0, -1), id.replaceAll("-", "")];
  const foreign = [...id].flatMap((letter, n) =>
    letter === "-" ? [] : [`${id.slice(0, n)}g${id.slice(n + 1)}`, `${id.slice(0, n)}-${id.slice(n + 1)}`],
  );
  expect([...others, ...foreign].filter(isUuid)).toEqual([]);
});

test("an invalid id finds nothing", async () => {
  for (const id of ["", "1", "' OR 1=1", "\0", crypto.randomUUID()]) {
    expect(await invoiceById(db(), id)).toBeNull();
    expect(await invoiceQrPng(db(), id)).toBeNull();
  }
});
