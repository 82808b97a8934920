import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { openInvoice } from "../invoices/open-invoice.ts";
import { sandboxInvoicesTable as far } from "../sandbox/schema.ts";
import { providerInvoicesTable } from "../schema/provider.ts";
import { checkCallback } from "./check-callback.ts";
import { checkInvoices } from "./check-invoices.ts";
import { newReference, opened, reserve, useSandbox } from "./provider.fixture.ts";

useDatabase();
const sandbox = useSandbox();

/** The callback address that the provider was given. */
async function callbackUrl(providerId: string | null): Promise<URL> {
  const [row] = await db()
    .select({ url: far.callbackUrl })
    .from(far)
    .where(eq(far.id, providerId ?? ""));
  return new URL(row?.url ?? "");
}

test("the provider calls back once it is paid, with the payment's id, and then a check shows the money", async () => {
  const reference = newReference();
  const { providerId } = await opened(reference, 10_000);
  const { paymentIds, callbacks } = await sandbox.pay(providerId);
  expect(callbacks).toEqual(["SUCCESS"]);
  expect(sandbox.callbacks).toEqual([{ reference, paymentId: paymentIds[0] }]);
  expect((await checkInvoices(reference, new Date())).rows).toHaveLength(1);
});

test("a callback repeated twenty times at once is one payment", async () => {
  const reference = newReference();
  const { providerId } = await opened(reference, 10_000);
  const { callbacks } = await sandbox.pay(providerId, { callback: 20 });
  expect(callbacks).toEqual(Array(20).fill("SUCCESS"));
  expect(sandbox.callbacks).toHaveLength(20);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => checkInvoices(reference, new Date(), { force: true })),
  );
  for (const { rows } of answers) expect(rows).toHaveLength(1);
});

test("a late callback arrives after the response to the payer", async () => {
  const { providerId } = await opened(newReference(), 10_000);
  const { callbacks } = await sandbox.pay(providerId, { callbackDelayMs: 100 });
  expect([callbacks, sandbox.callbacks]).toEqual([[], []]);
  await Bun.sleep(300);
  expect(sandbox.callbacks).toHaveLength(1);
});

test("a callback can be missing altogether", async () => {
  const { providerId } = await opened(newReference(), 10_000);
  await sandbox.pay(providerId, { callback: false });
  expect(sandbox.callbacks).toEqual([]);
});

test("the secret is 256 bits, stored only as a hash, and belongs to one invoice", async () => {
  const reference = newReference();
  const [mine, other] = [await opened(reference, 10_000), await opened(newReference(), 10_000)];
  const url = await callbackUrl(mine.providerId);
  expect(url.href.length).toBeLessThanOrEqual(255);
  const [, , , , invoiceId = "", secret = ""] = url.pathname.split("/");
  expect(url.pathname).toBe(`/api/qpay/callback/${mine.id}/${secret}`);
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  const kept = await db()
    .select()
    .from(providerInvoicesTable)
    .where(eq(providerInvoicesTable.invoiceId, mine.id));
  expect(JSON.stringify(kept)).not.toContain(secret);
  expect(await checkCallback(invoiceId, secret)).toBe(reference);
  expect(await checkCallback(invoiceId, secret, "0123")).toBe(reference);
  const [told] = await db()
    .select()
    .from(providerInvoicesTable)
    .where(eq(providerInvoicesTable.invoiceId, mine.id));
  expect(told?.announcedPayment).toBeNull();
  expect(await checkCallback(other.id, secret)).toBeNull();
});

test("the announced payment of an invoice whose reply was lost is stored, if it is a valid id", async () => {
  const { invoiceId } = await reserve(newReference(), 10_000);
  await sandbox.told({ operation: "invoice", loseReply: true });
  await openInvoice(invoiceId);
  const [lost] = await db()
    .select()
    .from(far)
    .where(eq(far.senderInvoiceNo, `${invoiceId}-1`));
  const [, , , , , secret = ""] = new URL(lost?.callbackUrl ?? "").pathname.split("/");
  const announced = async (paymentId: string | null | undefined) => {
    expect(await checkCallback(invoiceId, secret, paymentId)).toBeNumber();
    const [row] = await db()
      .select()
      .from(providerInvoicesTable)
      .where(eq(providerInvoicesTable.invoiceId, invoiceId));
    return row?.announcedPayment;
  };
  for (const id of [undefined, null, "", "0 1", "0/1", " 01", "01 ", "01;", "0".repeat(65)]) {
    expect(await announced(id)).toBeNull();
  }
  expect(await announced("0_a.B:-9")).toBe("0_a.B:-9");
  expect(await announced("0".repeat(64))).toBe("0".repeat(64));
  expect(await announced("x y")).toBe("0".repeat(64));
});

test("forged callbacks find nothing and write nothing", async () => {
  const { id } = await opened(newReference(), 10_000);
  for (const secret of ["", "x", "A".repeat(43), "\0", "x".repeat(100_000)]) {
    expect(await checkCallback(id, secret, "0123")).toBeNull();
  }
  for (const invoiceId of ["", "1", "\0", crypto.randomUUID()]) {
    expect(await checkCallback(invoiceId, "A".repeat(43))).toBeNull();
  }
  const [row] = await db()
    .select()
    .from(providerInvoicesTable)
    .where(eq(providerInvoicesTable.invoiceId, id));
  expect(row?.announcedPayment).toBeNull();
});

test("the sandbox calls nothing but Midman's callback", async () => {
  const { providerId } = await opened(newReference(), 10_000);
  for (const url of [
    "http://169.254.169.254/api/qpay/callback/x/y",
    `${sandbox.origin}/sandbox/qpay/behave`,
    "http://localhost.evil.example/api/qpay/callback/x/y",
  ]) {
    await db()
      .update(far)
      .set({ callbackUrl: url })
      .where(eq(far.id, providerId ?? ""));
    expect((await sandbox.pay(providerId)).callbacks).toEqual(["not an address of this Midman"]);
  }
});
