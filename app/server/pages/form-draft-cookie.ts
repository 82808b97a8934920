import { z } from "zod";
import { accountFieldLimits } from "#forms/identity";
import { cookieGuard, cookieName } from "#modules/identity";
import { readCookie } from "./toast-cookie.ts";

const optionalText = (max: number) => z.string().max(max).optional().catch(undefined);

/** Input of a visitor who is not signed in yet; never a password. */
const formDraftSchema = z.object({
  username: optionalText(accountFieldLimits.username.max),
  displayName: optionalText(accountFieldLimits.displayName.max),
  email: optionalText(accountFieldLimits.email.max),
  avatarInitials: optionalText(8),
});

export type FormDraft = z.output<typeof formDraftSchema>;

const draftCookieName = "midman-typed";
/** On https the cookie is never sent over plain http, because it may contain an email address. */
const draftCookieAttributes = () => `Path=/; HttpOnly; ${cookieGuard()}`;

/**
 * The `Set-Cookie` value that carries input from one form of the landing page to the next for ten minutes, so that no address contains an
 * email address.
 */
export function formDraftCookie(values: FormDraft): string {
  const value = Buffer.from(JSON.stringify(formDraftSchema.parse(values))).toString("base64url");
  return `${cookieName(draftCookieName)}=${value}; ${draftCookieAttributes()}; Max-Age=600`;
}

/** The `Set-Cookie` value that deletes the draft after the sign-in. */
export function clearFormDraftCookie(): string {
  return `${cookieName(draftCookieName)}=; ${draftCookieAttributes()}; Max-Age=0`;
}

/** Reads the draft; empty if the cookie is absent or invalid. */
export function readFormDraft(request: Request): FormDraft {
  try {
    return formDraftSchema.parse(
      JSON.parse(
        Buffer.from(readCookie(request, cookieName(draftCookieName)) ?? "", "base64url").toString("utf8"),
      ),
    );
  } catch {
    return {};
  }
}
