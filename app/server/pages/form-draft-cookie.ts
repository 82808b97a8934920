import { z } from "zod";
import { limits } from "#forms/identity";
import { cookieGuard, cookieName } from "#modules/identity";
import { cookie } from "./toast-cookie.ts";

const text = (max: number) => z.string().max(max).optional().catch(undefined);

/** What somebody typed who is not signed in yet; never a password. */
const typed = z.object({
  username: text(limits.username.max),
  displayName: text(limits.displayName.max),
  email: text(limits.email.max),
  avatarInitials: text(8),
});

export type Typed = z.output<typeof typed>;

const name = "midman-typed";
/** On https it never leaves over plain http: an e-mail may stand in it. */
const attributes = () => `Path=/; HttpOnly; ${cookieGuard()}`;

/**
 * The `Set-Cookie` value that carries what was typed from one form of the landing page to the next for ten minutes, so
 * that no address shows an e-mail.
 */
export function typedCookie(values: Typed): string {
  const value = Buffer.from(JSON.stringify(typed.parse(values))).toString("base64url");
  return `${cookieName(name)}=${value}; ${attributes()}; Max-Age=600`;
}

/** The `Set-Cookie` value that forgets it: whoever is in needs it no more. */
export function typedClearCookie(): string {
  return `${cookieName(name)}=; ${attributes()}; Max-Age=0`;
}

/** What was typed before; nothing where the cookie is absent or not of our making. */
export function readTyped(request: Request): Typed {
  try {
    return typed.parse(
      JSON.parse(Buffer.from(cookie(request, cookieName(name)) ?? "", "base64url").toString("utf8")),
    );
  } catch {
    return {};
  }
}
