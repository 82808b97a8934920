import { z } from "zod";
import { hasText } from "#locales";
import { cookieGuard, cookieName } from "#modules/identity";

/**
 * A toast that survives one redirect. Only a key of the catalogues and plain parameters travel in the cookie:
 * the text is looked up when shown, so a forged cookie can say nothing that Midman does not say itself.
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
 * The `Set-Cookie` value that leaves a toast for the page at `path`; it lives one minute. The cookie's name tells that page
 * and the later toast: with one name for all, a page that another tab loads meanwhile would take the toast away.
 */
export function toastCookie(toast: Toast, path: string): string {
  const value = Buffer.from(JSON.stringify(toast)).toString("base64url");
  return toastSetCookie(`${toastCookiePrefix(path)}${Bun.randomUUIDv7("hex")}`, value);
}

/**
 * The latest toast left for the page that is asked for, null when there is none of our making; the `Set-Cookie` values that
 * take away all that were, and those that take them on to where this page leads.
 */
export function readToast(request: Request) {
  const here = toastCookiePrefix(request.url);
  const carried = readCookies(request).filter(([key]) => key.startsWith(here));
  const latest = carried.sort(([a], [b]) => (a < b ? 1 : -1))[0];
  const cleared = carried.map(([key]) => toastSetCookie(key, "", 0));
  return {
    toast: latest === undefined ? null : parseToast(latest[1]),
    cleared,
    // Each keeps its age: what the redirect says itself is later.
    takenTo: (path: string) => [
      ...cleared,
      ...carried.map(([key, value]) => toastSetCookie(key.replace(here, toastCookiePrefix(path)), value)),
    ],
  };
}

function toastSetCookie(key: string, value: string, seconds = 60): string {
  return `${key}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; ${cookieGuard()}`;
}

/** Of a page's path or whole address: what follows the host, shortened, for an address may be longer than a cookie. */
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

/** One cookie of a request, undefined when absent. */
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
