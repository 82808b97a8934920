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

/** The stylesheet's text where the page must bring it along, else null. */
export function stylesFor(request: Request, { stylesheet, styles }: Assets): string | null {
  return cookie(request, name) === versionOf(stylesheet) ? null : styles;
}

/** Lets a page that brings its stylesheet along show it, that very text and no other, and notes that the browser has had it. */
export function bringStyles(headers: Headers, { stylesheet, styles }: Assets): void {
  const digest = createHash("sha256").update(styles).digest("base64");
  headers.set("Content-Security-Policy", contentSecurityPolicy(`'sha256-${digest}'`));
  headers.append("Set-Cookie", kept(name, versionOf(stylesheet)));
}

/** The hash in the file's name. */
function versionOf(stylesheet: string): string {
  return /-([\w-]+)\.css$/.exec(stylesheet)?.[1] ?? "";
}
