import { createHash } from "node:crypto";
import webpush from "web-push";
import { isAboutMoney, lifetimeOf, type PushEvent } from "./push-events.ts";
import { isPushService } from "./push-service.ts";
import type { SubscriptionRow } from "./schema.ts";
import { vapidPair, vapidSubject } from "./vapid-keys.ts";

/**
 * What became of a push: the service took it; the browser is not there any more; to be tried again, after so many seconds if
 * the service said so; or refused for good.
 */
export type HandoverResult =
  | { kind: "taken" }
  | { kind: "gone" }
  | { kind: "later"; retryAfterSeconds: number }
  | { kind: "refused"; status: number };

const TIMEOUT_MS = 10_000;

/** Encrypts a push for one browser (RFC 8291) and hands it to that browser's service. */
export async function handToService(
  device: Pick<SubscriptionRow, "endpoint" | "p256dh" | "auth">,
  event: PushEvent,
  content: { tag: string; silent: boolean },
): Promise<HandoverResult> {
  // Asked again: what was allowed when the device came may not be allowed any more.
  if (!isPushService(device.endpoint)) return { kind: "gone" };
  const request = await encryptPush(device, event, content);
  if (request === undefined) return { kind: "gone" };
  try {
    const answer = await fetch(device.endpoint, {
      ...request,
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return readServiceReply(answer);
  } catch {
    // No connection, or no answer in time. Its words stay out of the log: they carry the address.
    return { kind: "later", retryAfterSeconds: 0 };
  }
}

/** The request; undefined for a browser whose key is no key, which nobody can ever write to. */
async function encryptPush(
  { endpoint, p256dh, auth }: Pick<SubscriptionRow, "endpoint" | "p256dh" | "auth">,
  event: PushEvent,
  content: { tag: string; silent: boolean },
) {
  const options = {
    vapidDetails: { subject: vapidSubject(), ...(await vapidPair()) },
    TTL: lifetimeOf(event),
    urgency: content.silent ? "low" : isAboutMoney(event) ? "high" : "normal",
    // The service keeps only the newest of a topic for a phone that is off. It may not learn which room that is.
    topic: createHash("sha256").update(`${auth}${content.tag}`).digest("base64url").slice(0, 32),
    contentEncoding: "aes128gcm",
  } as const;
  try {
    const subscription = { endpoint, keys: { p256dh, auth } };
    const { headers, body } = webpush.generateRequestDetails(subscription, JSON.stringify(content), options);
    return { headers: headersOf(headers), body: body === null ? null : new Uint8Array(body) };
  } catch {
    return undefined;
  }
}

/** `fetch` counts the bytes itself. */
function headersOf(given: object): Record<string, string> {
  const pairs = Object.entries(given).filter(([name]) => name !== "Content-Length");
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
}

function readServiceReply({ ok, status, headers }: Response): HandoverResult {
  if (ok) return { kind: "taken" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 429 || status >= 500) {
    return { kind: "later", retryAfterSeconds: secondsIn(headers.get("retry-after")) };
  }
  return { kind: "refused", status };
}

function secondsIn(retryAfter: string | null): number {
  return /^\d{1,6}$/.test(retryAfter ?? "") ? Number(retryAfter) : 0;
}
