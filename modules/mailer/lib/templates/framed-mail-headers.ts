// A mail is somebody else's HTML to the page that frames it: no scripts, no forms, no origin of ours; it fetches nothing.
const POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; object-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** The headers under which a mail's HTML is shown. They stand before those that every answer gets: a page of ours may frame it. */
export const framedMailHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "X-Frame-Options": "SAMEORIGIN",
  "Cache-Control": "no-store",
};
