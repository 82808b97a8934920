import { log } from "#db/log";

/** How a call can end. `sent` is false only when we know that the provider never saw it. */
export type CallFailure =
  | { ok: false; code: "PROVIDER_UNAVAILABLE"; reason: string; sent: boolean }
  | { ok: false; code: "PROVIDER_REFUSED"; status: number; providerCode: string };
export type Reply = { ok: true; body: unknown } | CallFailure;

export type ProviderCall = {
  method: "GET" | "POST" | "DELETE";
  url: string;
  authorization: string;
  body?: unknown;
  timeoutMs: number;
  /** Ends the call early: the budget of the whole operation. */
  signal?: AbortSignal | undefined;
  /** A call that must not be repeated takes a fresh connection: a pooled one may be dead, and is retried beneath us. */
  once: boolean;
};

/** The longest reply that is read; a hundred rows of a check are about 100 KB. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * One HTTP exchange. Never throws. Anything but a readable 2xx or a plain 4xx is unknown: a 5xx, a throttle, a redirect
 * (credentials follow none), a time-out, a cut, a body that is not JSON.
 */
export async function exchangeWithProvider(call: ProviderCall): Promise<Reply> {
  const reply = await exchangeOnce(call);
  if (!reply.ok) logCallFailure(call, reply);
  return reply;
}

/** What the log has of a call that failed: neither what was sent nor what came back. */
function logCallFailure({ method, url }: ProviderCall, failure: CallFailure): void {
  const told = { method, path: new URL(url).pathname };
  if (failure.code === "PROVIDER_UNAVAILABLE") {
    log().warn({ ...told, reason: failure.reason }, "provider call failed");
  } else {
    log().info({ ...told, status: failure.status, reason: failure.providerCode }, "provider call refused");
  }
}

async function exchangeOnce(call: ProviderCall): Promise<Reply> {
  const timeout = AbortSignal.timeout(call.timeoutMs);
  let status: number;
  let text: string;
  try {
    const response = await fetch(call.url, {
      method: call.method,
      headers: {
        Authorization: call.authorization,
        Accept: "application/json",
        ...(call.body !== undefined && { "Content-Type": "application/json" }),
      },
      // Nothing stays nothing.
      body: JSON.stringify(call.body),
      redirect: "manual",
      keepalive: !call.once,
      signal: call.signal ? AbortSignal.any([timeout, call.signal]) : timeout,
    });
    status = response.status;
    text = await readBoundedText(response);
  } catch (error) {
    return unknownOutcome(reasonOf(error));
  }
  return readReply(status, text);
}

/** A connection's own word for what is wrong with it, such as a certificate's. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

function readReply(status: number, text: string): Reply {
  const body = parseReplyText(text);
  if (status >= 200 && status < 300) {
    return body === undefined ? unknownOutcome("unreadable") : { ok: true, body };
  }
  if (status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429) {
    return { ok: false, code: "PROVIDER_REFUSED", status, providerCode: errorCode(body) ?? `HTTP_${status}` };
  }
  return unknownOutcome(`HTTP ${status}`);
}

/** An unknown outcome of a call that may have reached the provider. */
export function unknownOutcome(reason: string, sent = true): CallFailure {
  return { ok: false, code: "PROVIDER_UNAVAILABLE", reason, sent };
}

function parseReplyText(text: string): unknown {
  try {
    return toStorableJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** What Postgres takes as JSON: without null characters and halves of characters. */
function toStorableJson(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "").toWellFormed();
  if (Array.isArray(value)) return value.map(toStorableJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toStorableJson(key) as string, toStorableJson(item)]),
  );
}

/** `error` is a code, or for field validation an object by field. */
function errorCode(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  const { error } = body;
  if (typeof error === "string" && error !== "") return error.slice(0, 100);
  return typeof error === "object" && error !== null
    ? `VALIDATION:${Object.keys(error).join(",")}`.slice(0, 100)
    : undefined;
}

async function readBoundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error("reply too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
