import { createHash } from "node:crypto";
import { config } from "#config";

/** Where signed heads go: AUDIT_ANCHOR, or the administrators' address where it is unset. `name` stands for it in the table of heads. */
export type AnchorPlace = { name: string } & (
  | { kind: "administrators" }
  | { kind: "mail"; to: string }
  | { kind: "post"; url: string }
  | { kind: "s3"; bucket: string; prefix: string }
);

/** The place in force. */
export function anchorPlace(): AnchorPlace {
  const anchor = config().AUDIT_ANCHOR;
  if (anchor === undefined) return { kind: "administrators", name: "administrators" };
  // An address may hold a secret of its own, and a table that is never erased no person's mail: a digest tells two places apart.
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
