import { type Context, goTo, memberOnly } from "#app/server/pages/page-context";
import { now } from "#db/clock";
import { type Member, requireFreshLogin } from "#modules/identity";
import { paths } from "../../paths.ts";

/**
 * The signed-in person who proved a few minutes ago who they are, or a redirect to where that is done once more and from
 * there back to this page.
 */
export function freshOnly(context: Context, request: Request): Member {
  const member = memberOnly(context, request);
  if (!requireFreshLogin(member, now()).ok) {
    const { pathname, search } = new URL(request.url);
    throw toConfirm(`${pathname}${search}`);
  }
  return member;
}

/** To the password, and back to `next` afterwards. */
export function toConfirm(next: string): Response {
  return goTo(paths.settingsConfirm(next));
}
