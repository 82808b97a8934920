import { createHash } from "node:crypto";
import type { Assets } from "./built.ts";
import { cookie } from "./flash.ts";
import { contentSecurityPolicy } from "./headers.ts";
import { kept } from "./preference.ts";

/**
 * A phone that comes for the first time gets the stylesheet inside the page: on a slow link a second request before the first
 * paint costs as long as the page itself. The cookie `midman-look` then says which stylesheet it has had, and pages
 * link the file, which is fetched once and kept for a year.
 */
const name = "midman-look";

/** How pages come by the stylesheet that was built; its version and digest are worked out once. */
export function lookOf({ stylesheet, styles }: Assets) {
  const version = versionOf(stylesheet);
  const digest = createHash("sha256").update(styles).digest("base64");
  const policy = contentSecurityPolicy(`'sha256-${digest}'`);
  return {
    /** The stylesheet's text where the page must bring it along, else null. */
    stylesFor: (request: Request) => (cookie(request, name) === version ? null : styles),
    /** Lets a page that brings it along show that very text and no other, and notes that the browser has had it. */
    bring(headers: Headers): void {
      headers.set("Content-Security-Policy", policy);
      headers.append("Set-Cookie", kept(name, version));
    },
  };
}

/** The hash in the file's name. */
function versionOf(stylesheet: string): string {
  return /-([\w-]+)\.css$/.exec(stylesheet)?.[1] ?? "";
}
