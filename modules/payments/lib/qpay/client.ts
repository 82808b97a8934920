import { isTrial } from "#config";
import { now } from "#db/clock";
import { durations } from "#db/metrics";
import {
  exchangeWithProvider,
  type Failure,
  type ProviderCall,
  type Reply,
  unknown,
} from "./http-exchange.ts";
import { type Access, providerAccess } from "./provider-access.ts";
import { type Patience, patience, withRetries } from "./retry.ts";
import { TokenCache } from "./token.ts";

export type Settings = { timeoutMs: number; patience: Patience; now: () => Date };
export type Request = {
  method: ProviderCall["method"];
  path: string;
  body?: unknown;
  /** Whether a second call does no more than the first. Creating an invoice is the one that does. */
  repeatable: boolean;
  signal?: AbortSignal | undefined;
};

const calls = durations({
  name: "provider_call_seconds",
  help: "Calls to the payment provider, each try by itself, by how they were answered",
  labels: ["call", "outcome"],
});

/** A call by its name: without the number that it is about. */
function nameOf({ method, path }: Request): string {
  const [, what, which] = path.split("/");
  return `${method} /${what}${which === "check" || which === "list" ? `/${which}` : ""}`;
}

/** The merchant's side of QPay v2: bearer token, one renewal after a 401, retries of what is safe to repeat. */
export class Qpay {
  readonly invoiceCode: string;
  readonly #baseUrl: string;
  readonly #tokens: TokenCache;
  readonly #settings: Settings;

  constructor(access: Access, settings: Partial<Settings> = {}) {
    this.#settings = { timeoutMs: 10_000, patience, now, ...settings };
    this.#baseUrl = access.baseUrl;
    this.invoiceCode = access.invoiceCode;
    this.#tokens = new TokenCache({ ...access, ...this.#settings });
  }

  /** Never throws. `PROVIDER_UNAVAILABLE` means that nobody knows whether it happened, unless `sent` is false. */
  call(request: Request): Promise<Reply> {
    if (!request.repeatable) return this.#authorised(request);
    return withRetries(() => this.#authorised(request), this.#settings.patience, request.signal);
  }

  /** Why the provider would not let us in just now; undefined when it would. */
  async refusedBecause(): Promise<string | undefined> {
    const token = await this.#tokens.token();
    if (token.ok) return undefined;
    return token.code === "PROVIDER_REFUSED" ? `HTTP ${token.status}` : token.code;
  }

  async #authorised(request: Request): Promise<Reply> {
    const first = await this.#once(request);
    if (first.reply.ok || first.reply.code !== "PROVIDER_REFUSED" || first.reply.status !== 401)
      return first.reply;
    if (first.token === undefined) return first.reply;
    // A 401 did nothing at the provider, so even a creation may follow it once.
    this.#tokens.reject(first.token);
    return (await this.#once(request)).reply;
  }

  async #once(request: Request): Promise<{ reply: Reply; token?: string }> {
    const from = performance.now();
    const answered = await this.#exchanged(request);
    const outcome = answered.reply.ok ? "ok" : answered.reply.code;
    calls.observe({ call: nameOf(request), outcome }, (performance.now() - from) / 1_000);
    return answered;
  }

  async #exchanged({
    method,
    path,
    body,
    repeatable,
    signal,
  }: Request): Promise<{ reply: Reply; token?: string }> {
    if (signal?.aborted) return { reply: unknown("no time left", false) };
    const token = await within(this.#tokens.token(), signal);
    if (!token.ok) return { reply: token };
    const { timeoutMs } = this.#settings;
    const authorization = `Bearer ${token.token}`;
    const url = this.#baseUrl + path;
    const reply = await exchangeWithProvider({
      method,
      url,
      authorization,
      body,
      timeoutMs,
      signal,
      once: !repeatable,
    });
    return { reply, token: token.token };
  }
}

/** The token's renewal is everybody's and outlives one caller's budget. */
function within<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | Failure> {
  if (signal === undefined) return work;
  const ended = new Promise<Failure>((resolve) => {
    signal.addEventListener("abort", () => resolve(unknown("no time left", false)));
  });
  return Promise.race([work, ended]);
}

let current: { key: string; qpay: Qpay } | undefined;
let overrides: Partial<Settings> = {};

/** This process's client of the configured provider (or the sandbox); null when there is none. */
export function provider(): Qpay | null {
  const access = providerAccess();
  if (access === null) return null;
  const key = JSON.stringify(access);
  if (current?.key !== key) current = { key, qpay: new Qpay(access, overrides) };
  return current.qpay;
}

/** Why the configured provider would not let us in just now; undefined when it would, and in a trial. */
export async function providerFails(): Promise<string | undefined> {
  return isTrial() ? undefined : await provider()?.refusedBecause();
}

/** Other time-outs and patience, for tests; the token is forgotten. */
export function providerSettings(settings: Partial<Settings>): void {
  overrides = settings;
  current = undefined;
}

/** What a call answers when no provider is configured: it never left. */
export const noProvider: Failure = unknown("no provider is configured", false);
