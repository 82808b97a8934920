import { isTrial } from "#config";
import { currentTime } from "#db/clock";
import { createDurationHistogram } from "#db/metrics";
import {
  type CallFailure,
  exchangeWithProvider,
  type ProviderCall,
  type Reply,
  unknownOutcome,
} from "./http-exchange.ts";
import { type ProviderAccess, providerAccess } from "./provider-access.ts";
import { defaultRetryPolicy, type RetryPolicy, withRetries } from "./retry.ts";
import { TokenCache } from "./token.ts";

export type ClientSettings = { timeoutMs: number; patience: RetryPolicy; now: () => Date };
export type ProviderRequest = {
  method: ProviderCall["method"];
  path: string;
  body?: unknown;
  /** Whether a second call does no more than the first. Creating an invoice is the one that does. */
  repeatable: boolean;
  signal?: AbortSignal | undefined;
};

const callDurations = createDurationHistogram({
  name: "provider_call_seconds",
  help: "Calls to the payment provider, each try by itself, by how they were answered",
  labels: ["call", "outcome"],
});

/** A call by its name: without the number that it is about. */
function nameOf({ method, path }: ProviderRequest): string {
  const [, what, which] = path.split("/");
  return `${method} /${what}${which === "check" || which === "list" ? `/${which}` : ""}`;
}

/** The merchant's side of QPay v2: bearer token, one renewal after a 401, retries of what is safe to repeat. */
export class Qpay {
  readonly invoiceCode: string;
  readonly #baseUrl: string;
  readonly #tokens: TokenCache;
  readonly #settings: ClientSettings;

  constructor(access: ProviderAccess, settings: Partial<ClientSettings> = {}) {
    this.#settings = { timeoutMs: 10_000, patience: defaultRetryPolicy, now: currentTime, ...settings };
    this.#baseUrl = access.baseUrl;
    this.invoiceCode = access.invoiceCode;
    this.#tokens = new TokenCache({ ...access, ...this.#settings });
  }

  /** Never throws. `PROVIDER_UNAVAILABLE` means that nobody knows whether it happened, unless `sent` is false. */
  call(request: ProviderRequest): Promise<Reply> {
    if (!request.repeatable) return this.#authorised(request);
    return withRetries(() => this.#authorised(request), this.#settings.patience, request.signal);
  }

  /** Why the provider would not let us in just now; undefined when it would. */
  async refusedBecause(): Promise<string | undefined> {
    const token = await this.#tokens.token();
    if (token.ok) return undefined;
    return token.code === "PROVIDER_REFUSED" ? `HTTP ${token.status}` : token.code;
  }

  async #authorised(request: ProviderRequest): Promise<Reply> {
    const first = await this.#once(request);
    if (first.reply.ok || first.reply.code !== "PROVIDER_REFUSED" || first.reply.status !== 401)
      return first.reply;
    if (first.token === undefined) return first.reply;
    // A 401 did nothing at the provider, so even a creation may follow it once.
    this.#tokens.reject(first.token);
    return (await this.#once(request)).reply;
  }

  async #once(request: ProviderRequest): Promise<{ reply: Reply; token?: string }> {
    const from = performance.now();
    const answered = await this.#exchanged(request);
    const outcome = answered.reply.ok ? "ok" : answered.reply.code;
    callDurations.observe({ call: nameOf(request), outcome }, (performance.now() - from) / 1_000);
    return answered;
  }

  async #exchanged({
    method,
    path,
    body,
    repeatable,
    signal,
  }: ProviderRequest): Promise<{ reply: Reply; token?: string }> {
    if (signal?.aborted) return { reply: unknownOutcome("no time left", false) };
    const token = await raceWithAbort(this.#tokens.token(), signal);
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
function raceWithAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | CallFailure> {
  if (signal === undefined) return work;
  const ended = new Promise<CallFailure>((resolve) => {
    signal.addEventListener("abort", () => resolve(unknownOutcome("no time left", false)));
  });
  return Promise.race([work, ended]);
}

let currentClient: { key: string; qpay: Qpay } | undefined;
let settingOverrides: Partial<ClientSettings> = {};

/** This process's client of the configured provider (or the sandbox); null when there is none. */
export function getProviderClient(): Qpay | null {
  const access = providerAccess();
  if (access === null) return null;
  const key = JSON.stringify(access);
  if (currentClient?.key !== key) currentClient = { key, qpay: new Qpay(access, settingOverrides) };
  return currentClient.qpay;
}

/** Why the configured provider would not let us in just now; undefined when it would, and in a trial. */
export async function checkProviderAccess(): Promise<string | undefined> {
  return isTrial() ? undefined : await getProviderClient()?.refusedBecause();
}

/** Other time-outs and patience, for tests; the token is forgotten. */
export function overrideProviderSettings(settings: Partial<ClientSettings>): void {
  settingOverrides = settings;
  currentClient = undefined;
}

/** What a call answers when no provider is configured: it never left. */
export const noProvider: CallFailure = unknownOutcome("no provider is configured", false);
