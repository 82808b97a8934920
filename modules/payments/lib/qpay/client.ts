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
  /** True if a second call has no further effect. Only the creation of an invoice is not repeatable. */
  repeatable: boolean;
  signal?: AbortSignal | undefined;
};

const callDurations = createDurationHistogram({
  name: "provider_call_seconds",
  help: "Duration of each attempt to call the payment provider, by outcome",
  labels: ["call", "outcome"],
});

/** Name of a call for metrics: method and path without ids. */
function nameOf({ method, path }: ProviderRequest): string {
  const [, what, which] = path.split("/");
  return `${method} /${what}${which === "check" || which === "list" ? `/${which}` : ""}`;
}

/** Client of the merchant API of QPay v2: bearer token, one renewal after a 401, retries of repeatable calls. */
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

  /** Calls the provider. Never throws. `PROVIDER_UNAVAILABLE` means that the outcome is unknown, unless `sent` is false. */
  call(request: ProviderRequest): Promise<Reply> {
    if (!request.repeatable) return this.#authorised(request);
    return withRetries(() => this.#authorised(request), this.#settings.patience, request.signal);
  }

  /** Why the provider refuses Midman's credentials now; undefined if it accepts them. */
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
    // A request answered with 401 had no effect at the provider, so even a creation may be repeated once.
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

/** Stops waiting when the signal aborts. The renewal of the token goes on, because all callers share it. */
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

/** Why the configured provider refuses Midman's credentials now; undefined if it accepts them, and in a trial. */
export async function checkProviderAccess(): Promise<string | undefined> {
  return isTrial() ? undefined : await getProviderClient()?.refusedBecause();
}

/** Replaces time-outs and retries, for tests; also discards the token. */
export function overrideProviderSettings(settings: Partial<ClientSettings>): void {
  settingOverrides = settings;
  currentClient = undefined;
}

/** The result of a call when no provider is configured: it was never sent. */
export const noProvider: CallFailure = unknownOutcome("no provider is configured", false);
