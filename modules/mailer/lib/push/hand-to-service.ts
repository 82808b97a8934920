import { createHash } from "node:crypto";
import { isAboutMoney, lifetimeOf, type PushEvent } from "./push-events.ts";
import { isPushService } from "./push-service.ts";
import type { SubscriptionRow } from "./schema.ts";
import { vapidPair, vapidSubject } from "./vapid-keys.ts";

/**
 * The outcome of a push: accepted by the service; the browser no longer exists; to be tried again, after a number of seconds if the service
 * named one; or refused permanently.
 */
export type HandoverResult =
  | { kind: "taken" }
  | { kind: "gone" }
  | { kind: "later"; retryAfterSeconds: number }
  | { kind: "refused"; status: number };

const TIMEOUT_MS = 10_000;

/** Encrypts a push for one browser (RFC 8291) and sends it to that browser's push service. */
export async function handToService(
  device: Pick<SubscriptionRow, "endpoint" | "p256dh" | "auth">,
  event: PushEvent,
  content: { tag: string; silent: boolean },
): Promise<HandoverResult> {
  // Checked again: the endpoint may have been allowed when the device was registered, but not now.
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
    // No connection, or no answer in time. The error is not logged, because it contains the endpoint.
    return { kind: "later", retryAfterSeconds: 0 };
  }
}

/** Builds the request; undefined if the browser's key is invalid, so that no push can reach it. */
async function encryptPush(
  { endpoint, p256dh, auth }: Pick<SubscriptionRow, "endpoint" | "p256dh" | "auth">,
  event: PushEvent,
  content: { tag: string; silent: boolean },
) {
  const options = {
    vapidDetails: { subject: vapidSubject(), ...(await vapidPair()) },
    TTL: lifetimeOf(event),
    urgency: content.silent ? "low" : isAboutMoney(event) ? "high" : "normal",
    // For a phone that is off the service keeps only the newest push of a topic. The topic is a hash, so that the service does not learn
    // which room it is.
    topic: createHash("sha256").update(`${auth}${content.tag}`).digest("base64url").slice(0, 32),
    contentEncoding: "aes128gcm",
  } as const;
  const { default: webpush } = await import("web-push");
  try {
    const subscription = { endpoint, keys: { p256dh, auth } };
    const { headers, body } = webpush.generateRequestDetails(subscription, JSON.stringify(content), options);
    return { headers: headersOf(headers), body: body === null ? null : new Uint8Array(body) };
  } catch {
    return undefined;
  }
}

/** Converts the headers for `fetch`, which sets Content-Length itself. */
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
