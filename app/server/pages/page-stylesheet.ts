import { createHash } from "node:crypto";
import { cookieName } from "#modules/identity";
import type { Assets, LoadedStylesheet } from "./built-assets.ts";
import { preferenceCookie } from "./preference-cookies.ts";
import { contentSecurityPolicy } from "./security-headers.ts";
import { isPublicPage } from "./seo.ts";
import { readCookie } from "./toast-cookie.ts";

/**
 * A phone that comes for the first time gets the stylesheet inside the page: on a slow link a second request before the first
 * paint costs as long as the page itself. The cookie `midman-look` then says whose look it has seen, and pages link the
 * file, which is fetched once and kept for a year. The pages for everybody have a stylesheet of their own, without what
 * only members see, and members' pages one without what only the back office has.
 */
const lookCookieName = "midman-look";

/** Where one sees what members do not. */
const backofficeLookPattern = /^\/(admin|design|developers)(\/|$)/;

/** How a page comes by its stylesheet; `styles` is the text where the page must bring it along, else null. */
export type PageStylesheet = { stylesheet: string; styles: string | null; policy: string };

/** The looks of the built pages; their digests are worked out once. */
export function createStylesheetChooser(assets: Assets) {
  const version = versionOf(assets.stylesheet);
  const [member, front, back] = [withPolicy(assets), withPolicy(assets.front), withPolicy(assets.back)];
  return {
    /** The look of the page that is asked for. */
    of(request: Request): PageStylesheet {
      const members = backofficeLookPattern.test(new URL(request.url).pathname) ? back : member;
      const look = isPublicPage(request) ? front : members;
      return readCookie(request, cookieName(lookCookieName)) === version ? { ...look, styles: null } : look;
    },
    /** Lets a page that brings its styles along show that very text and no other, and notes that the browser has had them. */
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
