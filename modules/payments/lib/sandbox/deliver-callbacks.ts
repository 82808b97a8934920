import { publicUrl } from "#config";
import { db } from "#db/client";
import { callbackDeliveriesTable } from "./schema.ts";

const PAUSES_MS = [250, 1_000];

/**
 * Calls the merchant's callback `times` times for each payment, all at once, and returns the outcome of each: `SUCCESS`, or why it failed.
 * A call that was not answered `SUCCESS` is tried twice more. Never throws.
 */
export async function deliverCallbacks(
  callbackUrl: string,
  paymentIds: string[],
  times: number,
  delayMs: number,
  at: Date,
): Promise<string[]> {
  if (delayMs > 0) await Bun.sleep(delayMs);
  const calls = paymentIds.flatMap((paymentId) => Array<string>(times).fill(paymentId));
  return Promise.all(calls.map((paymentId) => callUntilAccepted(callbackUrl, paymentId, at)));
}

async function callUntilAccepted(callbackUrl: string, paymentId: string, at: Date): Promise<string> {
  const url = parseCallbackUrl(callbackUrl);
  if (url === null) return "not an address of this Midman";
  url.searchParams.append("qpay_payment_id", paymentId);
  let outcome = await callMerchant(url);
  for (const pause of PAUSES_MS) {
    if (outcome === "SUCCESS") break;
    await Bun.sleep(pause);
    outcome = await callMerchant(url);
  }
  try {
    await db().insert(callbackDeliveriesTable).values({ paymentId, outcome, at });
  } catch {
    // A late callback may outlive its database; the merchant has received it, which is what counts.
  }
  return outcome;
}

async function callMerchant(url: URL): Promise<string> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(15_000) });
    const text = (await response.text()).slice(0, 100).trim();
    return response.status === 200 && text === "SUCCESS" ? text : `HTTP ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.name : "failed";
  }
}

/**
 * Anyone may create an invoice here and give an address. Only Midman's own callback is called, on this machine or at its public address, so
 * that the sandbox cannot be used to send requests elsewhere (SSRF).
 */
function parseCallbackUrl(callbackUrl: string): URL | null {
  const url = URL.parse(callbackUrl);
  if (url === null || !url.pathname.startsWith("/api/qpay/callback/")) return null;
  const here = url.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  return here || url.origin === new URL(publicUrl()).origin ? url : null;
}
