import { z } from "zod";
import { type CallFailure, exchangeWithProvider, unknownOutcome } from "./http-exchange.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";

export type TokenSource = {
  baseUrl: string;
  username: string;
  password: string;
  timeoutMs: number;
  patience: RetryPolicy;
  now: () => Date;
};
type HeldToken = { access: string; until: number; refresh: string | undefined };
type Token = { ok: true; token: string };

const secondsSchema = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).nullish();
const tokenReplySchema = z.object({
  access_token: z.string().min(1).max(4_000),
  refresh_token: z.string().min(1).max(4_000).nullish(),
  expires_in: secondsSchema,
  refresh_expires_in: secondsSchema,
});

/** How long before its end, in ms, a token is renewed, so that no call starts with a token that expires during it. */
const EARLY_MS = 60_000;

/** The access token of one merchant: cached for all requests, and renewed by one call however many requests wait for it. */
export class TokenCache {
  #held: HeldToken | undefined;
  #refreshUntil = 0;
  #renewing: Promise<Token | CallFailure> | undefined;
  readonly #source: TokenSource;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** A token that is valid for at least another minute. Fails like any call; then the caller's own request was not sent. */
  async token(): Promise<Token | CallFailure> {
    if (this.#held !== undefined && this.#held.until - EARLY_MS > this.#time()) {
      return { ok: true, token: this.#held.access };
    }
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Discards a token that the provider answered with 401, unless it was renewed meanwhile. */
  reject(token: string): void {
    if (this.#held?.access === token) this.#held = undefined;
  }

  async #renew(): Promise<Token | CallFailure> {
    const refresh = this.#held?.refresh;
    this.#held = undefined;
    // A refresh token works once: if it fails for any reason, the password is used.
    if (refresh !== undefined && this.#refreshUntil - EARLY_MS > this.#time()) {
      const refreshed = await this.#fetch("/auth/refresh", `Bearer ${refresh}`);
      if (refreshed.ok) return refreshed;
    }
    const { username, password, patience } = this.#source;
    const basic = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    return withRetries(() => this.#fetch("/auth/token", basic), patience);
  }

  async #fetch(path: string, authorization: string): Promise<Token | CallFailure> {
    const { baseUrl, timeoutMs } = this.#source;
    const answer = await exchangeWithProvider({
      method: "POST",
      url: baseUrl + path,
      authorization,
      timeoutMs,
      once: false,
    });
    if (!answer.ok) return answer.code === "PROVIDER_UNAVAILABLE" ? { ...answer, sent: false } : answer;
    const parsed = tokenReplySchema.safeParse(answer.body);
    if (!parsed.success) return unknownOutcome("unreadable token", false);
    const { access_token, refresh_token, expires_in, refresh_expires_in } = parsed.data;
    this.#held = {
      access: access_token,
      until: this.#moment(expires_in),
      refresh: refresh_token ?? undefined,
    };
    this.#refreshUntil = this.#moment(refresh_expires_in);
    return { ok: true, token: access_token };
  }

  /** `expires_in` is an absolute time in Unix seconds. A value too small to be a date can only be a duration in seconds. */
  #moment(value: number | null | undefined): number {
    if (value === null || value === undefined) return this.#time() + 5 * EARLY_MS;
    return value < 1_000_000_000 ? this.#time() + value * 1000 : value * 1000;
  }

  #time(): number {
    return this.#source.now().getTime();
  }
}
