import { type RouterContextProvider, redirect } from "react-router";
import { type Actor, type Member, requireAdmin, requireUser, suspensionOf } from "#modules/identity";
import { paths } from "../../paths.ts";
import { shownToField } from "../../ui/forms/shown-to.ts";
import type { Missing } from "../../ui/frame/page-status-card.tsx";
import { type Toast, toastCookie } from "./toast-cookie.ts";
import { type Visit, visitContext } from "./visit-context.ts";

/** Loaders and actions get their context as `Readonly`. */
export type PageContext = Readonly<RouterContextProvider>;

/** The actor of the request, and the page's language, theme and toast. */
export function getVisit(context: PageContext): Visit {
  return context.get(visitContext);
}

/** The actor of the request. */
export function actorOf(context: PageContext): Actor {
  return getVisit(context).actor;
}

/** Redirects to another page, where the toast is shown. Status 303 turns a form's POST into a GET. */
export function goTo(path: string, toast?: Toast, headers: Headers = new Headers()): Response {
  if (toast !== undefined) headers.append("Set-Cookie", toastCookie(toast, path));
  return redirect(path, { status: 303, headers });
}

/**
 * The signed-in person; otherwise throws a redirect to the sign-in page, which keeps the way back in `?next=`. A person who must first
 * change their password, choose another name or agree to new documents is redirected to that page.
 */
export function requireMember(context: PageContext, request: Request): Member {
  const needed = requireUser(actorOf(context));
  if (needed.ok) return needed.member;
  if (needed.code === "PASSWORD_CHANGE_REQUIRED") throw redirectToPasswordChange();
  if (needed.code === "NAME_CHANGE_REQUIRED") throw redirectToStep(paths.chooseName, request);
  if (needed.code === "CONSENT_REQUIRED") throw redirectToStep(paths.agree, request);
  if (suspensionOf(actorOf(context)) !== undefined) throw redirectToSuspended(request);
  throw goTo(pathWithNext(paths.landing, request), { kind: "error", key: "guards.authRequired" });
}

/**
 * The same for the pages by which somebody leaves with their data. They are open without agreeing to new documents, so the person is
 * returned as one who has agreed: the verbs of these pages need no consent.
 */
export function requireLeavingMember(context: PageContext, request: Request): Member {
  const actor = actorOf(context);
  if (actor.kind !== "user" || actor.mustChangePassword || actor.mustChooseName)
    return requireMember(context, request);
  return { ...actor, mustAgree: false };
}

/**
 * The signed-in person; otherwise throws 401, which shows the page "Authentication Required" with a link to sign in and come back. The
 * history and a transaction show this alert; other pages redirect.
 */
export function requireMemberOrAlert(context: PageContext, request: Request): Member {
  const needed = requireUser(actorOf(context));
  if (needed.ok) return needed.member;
  if (needed.code === "PASSWORD_CHANGE_REQUIRED") throw redirectToPasswordChange();
  if (needed.code === "NAME_CHANGE_REQUIRED") throw redirectToStep(paths.chooseName, request);
  if (needed.code === "CONSENT_REQUIRED") throw redirectToStep(paths.agree, request);
  if (suspensionOf(actorOf(context)) !== undefined) throw goTo(paths.suspended);
  throw new Response(null, { status: 401 });
}

/**
 * Redirects a suspended person to the page that explains the suspension. A posted form is forwarded with 307, which keeps method and body,
 * so that the page can show the unsent message. A multipart form is not forwarded: its picture would be uploaded twice.
 */
function redirectToSuspended(request: Request): Response {
  const type = request.headers.get("content-type") ?? "";
  const forwardsForm = request.method === "POST" && type.startsWith("application/x-www-form-urlencoded");
  return forwardsForm ? redirect(paths.suspended, { status: 307 }) : goTo(paths.suspended);
}

/**
 * Until this step is done (another name, new documents) no other page is open; the requested page follows afterwards. What a posted form
 * held is not kept, and the toast says so.
 */
function redirectToStep(step: string, request: Request): Response {
  const isForm = request.method === "POST";
  return goTo(pathWithNext(step, request), isForm ? { kind: "error", key: "guards.stepFirst" } : undefined);
}

/**
 * The signed-in administrator; otherwise throws a redirect to the sign-in page. One who must first agree to new documents, set up a second
 * factor or use a passkey is redirected to do so, and then back to this page.
 */
export function requireAdministrator(context: PageContext, request: Request): Member {
  const needed = requireAdmin(actorOf(context));
  if (needed.ok) return needed.member;
  if (needed.code === "PASSWORD_CHANGE_REQUIRED") throw redirectToPasswordChange();
  if (needed.code === "CONSENT_REQUIRED") throw redirectToStep(paths.agree, request);
  if (needed.code === "SECOND_FACTOR_SETUP_REQUIRED") throw redirectToFactorSetup(request);
  if (needed.code === "PASSKEY_REQUIRED") throw redirectToPasskey(request);
  const key = needed.code === "AUTH_REQUIRED" ? "guards.adminAuthRequired" : "guards.adminRequired";
  throw goTo(pathWithNext(paths.adminLogin, request), { kind: "error", key });
}

/** The page where an administrator whose login is no longer fresh signs in again, and then returns to `back`. */
export function adminLoginPath(back: string): string {
  return `${paths.adminLogin}?next=${encodeURIComponent(back)}`;
}

/** Redirects to sign in again and then back: actions on money and permissions need a login within the last ten minutes. */
export function redirectToReauthentication(back: string): Response {
  return goTo(adminLoginPath(back), { kind: "info", key: "errors.REAUTH_REQUIRED" });
}

function redirectToPasswordChange(): Response {
  return goTo(paths.changePassword, { kind: "info", key: "errors.PASSWORD_CHANGE_REQUIRED" });
}

function redirectToFactorSetup(request: Request): Response {
  const to = pathWithNext(paths.settingsFactor, request);
  return goTo(to, { kind: "info", key: "errors.SECOND_FACTOR_SETUP_REQUIRED" });
}

function redirectToPasskey(request: Request): Response {
  const { pathname, search } = new URL(request.url);
  const to = paths.settingsConfirm(`${pathname}${search}`);
  return goTo(to, { kind: "info", key: "errors.PASSKEY_REQUIRED" });
}

function pathWithNext(path: string, request: Request): string {
  const url = new URL(request.url);
  return `${path}?next=${encodeURIComponent(safeNextPath(`${url.pathname}${url.search}`, paths.chat))}`;
}

const placeholderOrigin = "http://midman.invalid";
const longestNext = 2000;

/**
 * Where a sign-in leads: the requested path of Midman in a form that a header can carry, otherwise `fallback`. Never another site (open
 * redirect), and never an address that takes a seat by being opened: that becomes the invitation, where joining is one press.
 */
export function safeNextPath(next: string | null | undefined, fallback: string): string {
  if (typeof next !== "string" || next.length > longestNext) return fallback;
  if (!/^\/(?![/\\])/.test(next) || /[\\\p{Cc}]/u.test(next)) return fallback;
  if (!URL.canParse(next, placeholderOrigin)) return fallback;
  const { origin, pathname, search, searchParams, hash } = new URL(next, placeholderOrigin);
  // "/..//elsewhere" becomes "//elsewhere", which a browser reads as another host.
  if (origin !== placeholderOrigin || pathname.startsWith("//")) return fallback;
  const code = searchParams.get("invite");
  return code === null ? `${pathname}${search}${hash}` : paths.invitation(code);
}

/** True if a browser prefetches the page: the request must have no effect, such as taking a seat or moving the read mark. */
export function isPrefetch({ headers }: Request): boolean {
  return /prefetch/.test(`${headers.get("sec-purpose")} ${headers.get("purpose")}`);
}

/**
 * The response to a recorded reading that the person did not ask for: 503 for a prefetch, after which browsers request the page again once
 * it is opened; a redirect to `instead` for another site's link. Undefined if the person asked for it.
 */
export function refuseUnaskedRead(request: Request, instead: string): Response | undefined {
  if (isPrefetch(request)) return new Response(null, { status: 503 });
  const foreign = /^(?:cross|same)-site$/.test(request.headers.get("sec-fetch-site") ?? "");
  return foreign ? goTo(instead) : undefined;
}

/**
 * Thrown by a loader or an action for what does not exist or is not visible to this person: the same answer for both. `missing` chooses the
 * text; only an address that is no page is called a missing page.
 */
export function notFound(missing: Missing): Response {
  return new Response(null, { status: 404, statusText: missing });
}

/** Parses an id in an address or a hidden field, in its canonical spelling only; throws 404 for anything else. */
export function parseId(text: FormDataEntryValue | null | undefined, missing: Missing = "record"): number {
  if (typeof text !== "string" || !/^[1-9]\d{0,15}$/.test(text)) throw notFound(missing);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** Parses a number in a query; undefined if it is not one. */
export function parseQueryNumber(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/**
 * Reads the posted form; throws 400 if the body is not a form. The person to whom the page was shown is no part of it: the page handler has
 * compared it.
 */
export async function postedForm(request: Request): Promise<FormData> {
  try {
    const fields = await request.formData();
    fields.delete(shownToField);
    return fields;
  } catch {
    throw new Response(null, { status: 400 });
  }
}
