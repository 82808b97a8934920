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

/** Renewed this long before its end, so that no call starts with a token that ends under way. */
const EARLY_MS = 60_000;

/** One merchant's token: cached for every request, renewed by one call however many ask at once. */
export class TokenCache {
  #held: HeldToken | undefined;
  #refreshUntil = 0;
  #renewing: Promise<Token | CallFailure> | undefined;
  readonly #source: TokenSource;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** A token that lives for a minute yet; fails like any call, and then nothing was sent in the caller's name. */
  async token(): Promise<Token | CallFailure> {
    if (this.#held !== undefined && this.#held.until - EARLY_MS > this.#time()) {
      return { ok: true, token: this.#held.access };
    }
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** The provider answered 401 to this token: forget it, unless somebody already renewed it. */
  reject(token: string): void {
    if (this.#held?.access === token) this.#held = undefined;
  }

  async #renew(): Promise<Token | CallFailure> {
    const refresh = this.#held?.refresh;
    this.#held = undefined;
    // A refresh token works once: whatever comes of it, the password is next.
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

  /** `expires_in` is an absolute Unix second. What is too small to be a date can only be a duration. */
  #moment(value: number | null | undefined): number {
    if (value === null || value === undefined) return this.#time() + 5 * EARLY_MS;
    return value < 1_000_000_000 ? this.#time() + value * 1000 : value * 1000;
  }

  #time(): number {
    return this.#source.now().getTime();
  }
}
