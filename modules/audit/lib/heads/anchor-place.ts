import { createHash } from "node:crypto";
import { config } from "#config";

/**
 * Where signed heads are sent: AUDIT_ANCHOR, or the administrators' address if it is not set. `name` identifies it in the table of heads.
 */
export type AnchorPlace = { name: string } & (
  | { kind: "administrators" }
  | { kind: "mail"; to: string }
  | { kind: "post"; url: string }
  | { kind: "s3"; bucket: string; prefix: string }
);

/** The configured place. */
export function anchorPlace(): AnchorPlace {
  const anchor = config().AUDIT_ANCHOR;
  if (anchor === undefined) return { kind: "administrators", name: "administrators" };
  // The name contains only a digest: a URL may contain a secret, and the table is never erased, so it must not contain anyone's mail
  // address.
  const digest = createHash("sha256").update(anchor).digest("hex").slice(0, 16);
  const url = new URL(anchor);
  if (url.protocol === "mailto:") {
    return { kind: "mail", name: `mail:${digest}`, to: decodeURIComponent(url.pathname) };
  }
  if (url.protocol === "s3:") {
    const prefix = url.pathname.replace(/^\/|\/$/g, "");
    return { kind: "s3", name: `s3:${digest}`, bucket: url.hostname, prefix };
  }
  return { kind: "post", name: `post:${digest}`, url: anchor };
}
