import { log } from "#db/log";

/** How a call can fail. `sent` is false only when the provider certainly never received it. */
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
  /** Aborts the call early: the time budget of the whole operation. */
  signal?: AbortSignal | undefined;
  /** A call that must not be repeated uses a new connection: the runtime retries a request by itself when a pooled connection is dead. */
  once: boolean;
};

/** The largest reply that is read, in bytes; a hundred rows of a check are about 100 KB. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * One HTTP exchange. Never throws. Everything but a readable 2xx or a plain 4xx is an unknown outcome: a 5xx, a throttled call, a redirect
 * (none is followed, since it would receive the credentials), a time-out, a cut connection, a body that is not JSON.
 */
export async function exchangeWithProvider(call: ProviderCall): Promise<Reply> {
  const reply = await exchangeOnce(call);
  if (!reply.ok) logCallFailure(call, reply);
  return reply;
}

/** Logs a failed call without its request body and without the reply. */
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
      // An undefined body stays undefined.
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

/** The error code of a failed connection, such as that of a certificate error. */
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

/** Removes what Postgres does not accept in JSON: null characters and unpaired surrogates. */
function toStorableJson(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "").toWellFormed();
  if (Array.isArray(value)) return value.map(toStorableJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toStorableJson(key) as string, toStorableJson(item)]),
  );
}

/** The provider's `error` is a code, or for field validation an object with one key a field. */
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
