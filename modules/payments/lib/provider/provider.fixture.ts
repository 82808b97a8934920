import { afterAll, beforeAll, beforeEach } from "bun:test";
import { Elysia } from "elysia";
import { runInTransaction } from "#db/client";
import { paymentsRoutes } from "../../http.ts";
import { openInvoice } from "../invoices/open-invoice.ts";
import { reserveInvoice } from "../invoices/reserve-invoice.ts";
import { overrideProviderSettings } from "../qpay/client.ts";
import { setSandboxOrigin } from "../qpay/provider-access.ts";
import { defaultRetryPolicy } from "../qpay/retry.ts";
import { checkCallback } from "./check-callback.ts";
import type { Invoice } from "./provider-types.ts";

/** For tests: a real server with the sandbox provider and a callback route, and the client connected to it. */
export function useSandbox() {
  const callbacks: Array<{ reference: number | null; paymentId: string | undefined }> = [];
  const sandbox = { origin: "", callbacks };
  let stop: (() => Promise<unknown>) | undefined;
  beforeAll(async () => {
    const app = new Elysia()
      .use(paymentsRoutes)
      .get("/api/qpay/callback/:invoiceId/:secret", async ({ params, query }) => {
        const paymentId = query.qpay_payment_id;
        const reference = await checkCallback(params.invoiceId, params.secret, paymentId);
        callbacks.push({ reference, paymentId });
        return reference === null ? new Response("NOT FOUND", { status: 404 }) : "SUCCESS";
      })
      .listen({ port: 0, hostname: "127.0.0.1" });
    sandbox.origin = `http://127.0.0.1:${app.server?.port}`;
    setSandboxOrigin(sandbox.origin);
    stop = () => app.stop(true);
  });
  afterAll(async () => {
    setSandboxOrigin(undefined);
    overrideProviderSettings({});
    await stop?.();
  });
  beforeEach(async () => {
    callbacks.length = 0;
    overrideProviderSettings({ patience: hasty });
    await told({ reset: true });
  });

  /** Scripts the sandbox's behaviour; returns its state. */
  async function told(act: object): Promise<{ calls: Record<string, number> }> {
    const response = await post("/sandbox/qpay/behave", act);
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as { calls: Record<string, number> };
  }
  function post(path: string, body: unknown): Promise<Response> {
    return fetch(sandbox.origin + path, { method: "POST", body: JSON.stringify(body) });
  }
  /** The number of calls of an operation since the last reset. */
  async function count(operation: string): Promise<number> {
    return (await told({})).calls[operation] ?? 0;
  }
  async function pay(
    id: string | null,
    body: object = {},
  ): Promise<{ paymentIds: string[]; callbacks: string[] }> {
    const response = await post(`/sandbox/qpay/pay/${id}`, body);
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as { paymentIds: string[]; callbacks: string[] };
  }
  return Object.assign(sandbox, { told, post, count, pay });
}

const hasty = { ...defaultRetryPolicy, baseMs: 5, capMs: 20 };

/** Makes the provider's client give up after 300 ms without an answer, until the next test. */
export function impatient(): void {
  overrideProviderSettings({ timeoutMs: 300, patience: hasty });
}

let references = 1_000;

/** A reference that no other test of this file uses. */
export function newReference(): number {
  return ++references;
}

/** Reserves and opens an invoice; throws if it does not open. */
export async function opened(reference: number, amount: number, at = new Date()): Promise<Invoice> {
  const { invoiceId } = await reserve(reference, amount, at);
  const outcome = await openInvoice(invoiceId);
  if (!outcome.ok) throw new Error(outcome.code);
  return outcome.invoice;
}

/** Reserves an invoice in a transaction of its own. */
export function reserve(reference: number, amount: number, at = new Date()): Promise<{ invoiceId: string }> {
  return runInTransaction((tx) => reserveInvoice(tx, { reference, amount, description: "MM-1", at }));
}
