// To the page that frames it a mail is untrusted HTML: no scripts, no forms, no origin of Midman; it loads nothing.
const POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; object-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** The headers with which a mail's HTML is served. They override those of other responses, so that a Midman page may frame it. */
export const framedMailHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "X-Frame-Options": "SAMEORIGIN",
  "Cache-Control": "no-store",
};
