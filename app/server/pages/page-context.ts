import { type RouterContextProvider, redirect } from "react-router";
import { type Actor, type Member, requireAdmin, requireUser, suspensionOf } from "#modules/identity";
import { paths } from "../../paths.ts";
import { type Toast, toastCookie } from "./toast-cookie.ts";
import { type Visit, visitContext } from "./visit-context.ts";

/** Loaders and actions get their context as `Readonly`. */
export type PageContext = Readonly<RouterContextProvider>;

/** Who is asking, and how the page should look. */
export function getVisit(context: PageContext): Visit {
  return context.get(visitContext);
}

/** Who is asking. */
export function actorOf(context: PageContext): Actor {
  return getVisit(context).actor;
}

/** Goes to another page, where the toast is shown. 303: a form's POST becomes a GET. */
export function goTo(path: string, toast?: Toast, headers: Headers = new Headers()): Response {
  if (toast !== undefined) headers.append("Set-Cookie", toastCookie(toast, path));
  return redirect(path, { status: 303, headers });
}

/**
 * The signed-in person, or a redirect to where one signs in; the way back is kept in `?next=`.
 * Someone who must change a password or choose another name first is sent to do so.
 */
export function requireMember(context: PageContext, request: Request): Member {
  const needed = requireUser(actorOf(context));
  if (needed.ok) return needed.member;
  if (needed.code === "PASSWORD_CHANGE_REQUIRED") throw redirectToPasswordChange();
  if (needed.code === "NAME_CHANGE_REQUIRED") throw redirectToNameChange(request);
  if (suspensionOf(actorOf(context)) !== undefined) throw redirectToSuspended(request);
  throw goTo(pathWithNext(paths.landing, request), { kind: "error", key: "guards.authRequired" });
}

/**
 * The signed-in person, or the page "Authentication Required" (401) with the way to sign in and come back: the
 * specification's alert of the history and of a transaction, which are not redirected.
 */
export function requireMemberOrAlert(context: PageContext): Member {
  const needed = requireUser(actorOf(context));
  if (needed.ok) return needed.member;
  if (needed.code === "PASSWORD_CHANGE_REQUIRED") throw redirectToPasswordChange();
  if (needed.code === "NAME_CHANGE_REQUIRED") throw goTo(paths.chooseName);
  if (suspensionOf(actorOf(context)) !== undefined) throw goTo(paths.suspended);
  throw new Response(null, { status: 401 });
}

/**
 * Redirects a suspended person to the page that explains the suspension. A posted form is forwarded with 307, which keeps method and body, so that
 * the page can show the unsent message. A multipart form is not forwarded: its picture would be uploaded twice.
 */
function redirectToSuspended(request: Request): Response {
  const type = request.headers.get("content-type") ?? "";
  const forwardsForm = request.method === "POST" && type.startsWith("application/x-www-form-urlencoded");
  return forwardsForm ? redirect(paths.suspended, { status: 307 }) : goTo(paths.suspended);
}

/** Nothing else is open until another name was chosen; a page that was asked for comes after it. */
function redirectToNameChange(request: Request): Response {
  return goTo(request.method === "GET" ? pathWithNext(paths.chooseName, request) : paths.chooseName);
}

/**
 * An administrator, or the redirects of the specification's route guard. One who must set up a second factor or use a passkey first
 * is sent to do so, and comes back to this page.
 */
export function requireAdministrator(context: PageContext, request: Request): Member {
  const needed = requireAdmin(actorOf(context));
  if (needed.ok) return needed.member;
  if (needed.code === "PASSWORD_CHANGE_REQUIRED") throw redirectToPasswordChange();
  if (needed.code === "SECOND_FACTOR_SETUP_REQUIRED") throw redirectToFactorSetup(request);
  if (needed.code === "PASSKEY_REQUIRED") throw redirectToPasskey(request);
  const key = needed.code === "AUTH_REQUIRED" ? "guards.adminAuthRequired" : "guards.adminRequired";
  throw goTo(pathWithNext(paths.adminLogin, request), { kind: "error", key });
}

/** Where an administrator whose login is no longer fresh signs in again, to come back. */
export function adminLoginPath(back: string): string {
  return `${paths.adminLogin}?next=${encodeURIComponent(back)}`;
}

/** Money and power move only within ten minutes of a login: sign in again, and come back here. */
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
 * Where a sign-in leads: a path of our own that was asked for, as a header can carry it, else `fallback`. Never another
 * site (open redirect), and never an address that may take a seat by being opened: it leads to the invitation, where joining is one press.
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

/** A browser fetches the page in case somebody opens it: nothing may come of it, neither a seat nor a mark. */
export function isPrefetch({ headers }: Request): boolean {
  return /prefetch/.test(`${headers.get("sec-purpose")} ${headers.get("purpose")}`);
}

/**
 * The answer to what nobody here asked for, where reading is recorded: a prefetch gets nothing, by a status with which browsers
 * ask again once somebody does, and another site's link leads to `instead`. Undefined where somebody asks.
 */
export function refuseUnaskedRead(request: Request, instead: string): Response | undefined {
  if (isPrefetch(request)) return new Response(null, { status: 503 });
  const foreign = /^(?:cross|same)-site$/.test(request.headers.get("sec-fetch-site") ?? "");
  return foreign ? goTo(instead) : undefined;
}

/** Thrown by a loader for what does not exist or is not this person's to know of. */
export function notFound(): Response {
  return new Response(null, { status: 404 });
}

/** A number in an address or a hidden field, as it is written and no other way; anything else names nothing (404). */
export function parseId(text: FormDataEntryValue | null | undefined): number {
  if (typeof text !== "string" || !/^[1-9]\d{0,15}$/.test(text)) throw notFound();
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** A number that an address may ask with; what is none asks for nothing. */
export function parseQueryNumber(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The form that was posted; a body that is no form is refused (400). */
export async function postedForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw new Response(null, { status: 400 });
  }
}
