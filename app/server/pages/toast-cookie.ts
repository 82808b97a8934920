import { z } from "zod";
import { hasText } from "#locales";
import { cookieGuard, cookieName } from "#modules/identity";

/**
 * A toast that survives one redirect. The cookie carries only a catalogue key and plain parameters: the text is looked up when shown, so a
 * forged cookie can only show Midman's own texts.
 */
const toastSchema = z.object({
  kind: z.enum(["success", "error", "info"]),
  key: z
    .string()
    .regex(/^[\w.-]{1,80}$/)
    .refine(hasText),
  params: z.record(z.string(), z.union([z.string().max(200), z.number()])).optional(),
});

export type Toast = z.infer<typeof toastSchema>;

const toastCookieName = "midman-flash";

/**
 * The `Set-Cookie` value that leaves a toast for the page at `path`; it lives one minute. The cookie's name contains the page and a
 * sortable id: with one name for all, a page loaded in another tab meanwhile would take the toast away.
 */
export function toastCookie(toast: Toast, path: string): string {
  const value = Buffer.from(JSON.stringify(toast)).toString("base64url");
  return toastSetCookie(`${toastCookiePrefix(path)}${Bun.randomUUIDv7("hex")}`, value);
}

/**
 * The latest valid toast for the requested page, or null; the `Set-Cookie` values that delete all its toasts, and those that move them to
 * the page it redirects to.
 */
export function readToast(request: Request) {
  const here = toastCookiePrefix(request.url);
  const carried = readCookies(request).filter(([key]) => key.startsWith(here));
  const latest = carried.sort(([a], [b]) => (a < b ? 1 : -1))[0];
  const cleared = carried.map(([key]) => toastSetCookie(key, "", 0));
  return {
    toast: latest === undefined ? null : parseToast(latest[1]),
    cleared,
    // Each keeps its sortable id, so that a toast set by the redirect itself is later.
    takenTo: (path: string) => [
      ...cleared,
      ...carried.map(([key, value]) => toastSetCookie(key.replace(here, toastCookiePrefix(path)), value)),
    ],
  };
}

function toastSetCookie(key: string, value: string, seconds = 60): string {
  return `${key}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; ${cookieGuard()}`;
}

/** The cookie name's prefix for a page: a hash of its path and query, because an address may be longer than a cookie name. */
function toastCookiePrefix(address: string): string {
  const { pathname, search } = new URL(address, "http://midman.invalid");
  return `${cookieName(toastCookieName)}-${Bun.hash.crc32(`${pathname}${search}`).toString(16)}-`;
}

function parseToast(value: string): Toast | null {
  try {
    return toastSchema.parse(JSON.parse(Buffer.from(value, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/** The value of one cookie; undefined if it is absent. */
export function readCookie(request: Request, wanted: string): string | undefined {
  return readCookies(request).find(([key]) => key === wanted)?.[1];
}

/** All cookies of a request, as sent. */
export function readCookies(request: Request): Array<[key: string, value: string]> {
  return (request.headers.get("cookie") ?? "").split(";").map((part) => {
    const [key = "", ...rest] = part.trim().split("=");
    return [key, rest.join("=")];
  });
}
