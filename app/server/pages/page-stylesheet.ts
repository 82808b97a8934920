import { createHash } from "node:crypto";
import { cookieName } from "#modules/identity";
import type { Assets, LoadedStylesheet } from "./built-assets.ts";
import { preferenceCookie } from "./preference-cookies.ts";
import { contentSecurityPolicy } from "./security-headers.ts";
import { isPublicPage } from "./seo.ts";
import { readCookie } from "./toast-cookie.ts";

/**
 * A phone's first visit gets the stylesheet inside the page: on a slow link a second request before the first paint takes as long as the
 * page itself. Afterwards the cookie `midman-look` holds the version that the browser has seen, and pages link the file, which is fetched
 * once and cached for a year. Public pages have their own stylesheet, without what only members see, and members' pages one without what
 * only the back office needs.
 */
const lookCookieName = "midman-look";

/** Pages that use the back office's stylesheet. */
const backofficeLookPattern = /^\/(admin|design|developers)(\/|$)/;

/** How a page gets its stylesheet; `styles` is its text if the page must contain it, otherwise null. */
export type PageStylesheet = { stylesheet: string; styles: string | null; policy: string };

/** Chooses the stylesheet for each request; the digests are computed once. */
export function createStylesheetChooser(assets: Assets) {
  const version = versionOf(assets.stylesheet);
  const [member, front, back] = [withPolicy(assets), withPolicy(assets.front), withPolicy(assets.back)];
  return {
    /** The stylesheet of the requested page. */
    of(request: Request): PageStylesheet {
      const members = backofficeLookPattern.test(new URL(request.url).pathname) ? back : member;
      const look = isPublicPage(request) ? front : members;
      return readCookie(request, cookieName(lookCookieName)) === version ? { ...look, styles: null } : look;
    },
    /** For a page with an inline stylesheet: allows exactly that text in the content security policy, and sets the cookie. */
    bring(headers: Headers, { policy }: PageStylesheet): void {
      headers.set("Content-Security-Policy", policy);
      headers.append("Set-Cookie", preferenceCookie(lookCookieName, version));
    },
  };
}

function withPolicy({ stylesheet, styles }: LoadedStylesheet) {
  const digest = createHash("sha256").update(styles).digest("base64");
  return { stylesheet, styles, policy: contentSecurityPolicy(`'sha256-${digest}'`) };
}

/** The hash in the file's name. */
function versionOf(stylesheet: string): string {
  return /-([\w-]+)\.css$/.exec(stylesheet)?.[1] ?? "";
}
