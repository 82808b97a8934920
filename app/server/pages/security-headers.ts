import { isHttps } from "#modules/identity";
import { isBrowser } from "../listener/request-origin.ts";

/** Nothing written into a page runs or paints (design §7); `style` is the digest of the one text that may (app/server/pages/page-stylesheet.ts). */
export function contentSecurityPolicy(style = ""): string {
  return [
    "default-src 'none'",
    "object-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${style}`.trim(),
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const commonHeaders: Record<string, string> = {
  "Content-Security-Policy": contentSecurityPolicy(),
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
};

const httpsHeaders = { ...commonHeaders, "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };

/** Addresses that hold a token or a code, themselves or as the page to come back to. */
const secretPath = /^\/(?:reset-password|verify-email|i|verify)(?:\/|$)/;
const secretQuery = ["token", "invite", "code", "next"];

/**
 * How a page whose address holds a secret is referred to: not at all. Browsers then hide the origin of its forms too, and one
 * that does not say `Sec-Fetch-Site` (an old one, or any over plain http) could post none: it names the origin alone.
 */
function secretReferrer({ headers, url }: Request): string | undefined {
  const { pathname, searchParams } = new URL(url);
  if (!secretPath.test(pathname) && !secretQuery.some((name) => searchParams.has(name))) return undefined;
  const hidesForms = isBrowser(headers) && !headers.has("sec-fetch-site");
  return hidesForms ? "strict-origin" : "no-referrer";
}

/**
 * Headers of every answer. Where people come by https their browsers never try anything else again for a year, at this
 * name and those below it; over plain http browsers would pass over it.
 */
export function securityHeaders(request: Request): Record<string, string> {
  const usual = isHttps(request) ? httpsHeaders : commonHeaders;
  const referrer = secretReferrer(request);
  return referrer === undefined ? usual : { ...usual, "Referrer-Policy": referrer };
}
