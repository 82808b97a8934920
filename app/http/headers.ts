import { isHttps } from "#modules/identity";

/** Nothing written into a page runs or paints (design §7); `style` is the digest of the one text that may (app/http/look.ts). */
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

const always: Record<string, string> = {
  "Content-Security-Policy": contentSecurityPolicy(),
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
};

const overHttps = { ...always, "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };

/**
 * Headers of every answer. Where people come by https their browsers never try anything else again for a year, at this
 * name and those below it; over plain http browsers would pass over it.
 */
export function securityHeaders(request: Request): Record<string, string> {
  return isHttps(request) ? overHttps : always;
}
