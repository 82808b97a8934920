import { isHttps } from "#modules/identity";
import { isBrowser } from "../listener/request-origin.ts";

/**
 * The content security policy: injected markup can neither run scripts nor apply styles. `style` is the digest of the one inline stylesheet
 * that is allowed (app/server/pages/page-stylesheet.ts).
 */
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

/** Addresses that contain a token or a code, in their path or in the page to return to. */
const secretPath = /^\/(?:reset-password|verify-email|i|verify)(?:\/|$)/;
const secretQuery = ["token", "invite", "code", "next"];

/**
 * The Referrer-Policy of a page whose address contains a secret: `no-referrer`. Browsers then send `Origin: null` with its forms too, and a
 * browser that does not send `Sec-Fetch-Site` (an old one, or any over plain http) could not post them: it gets `strict-origin`.
 */
function secretReferrer({ headers, url }: Request): string | undefined {
  const { pathname, searchParams } = new URL(url);
  if (!secretPath.test(pathname) && !secretQuery.some((name) => searchParams.has(name))) return undefined;
  const hidesForms = isBrowser(headers) && !headers.has("sec-fetch-site");
  return hidesForms ? "strict-origin" : "no-referrer";
}

/**
 * Headers of every response. On https browsers are told to use only https for a year, for this host and its subdomains; over plain http
 * browsers ignore that header.
 */
export function securityHeaders(request: Request): Record<string, string> {
  const usual = isHttps(request) ? httpsHeaders : commonHeaders;
  const referrer = secretReferrer(request);
  return referrer === undefined ? usual : { ...usual, "Referrer-Policy": referrer };
}
