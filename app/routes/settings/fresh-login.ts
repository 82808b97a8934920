import { goTo, type PageContext, requireMember } from "#app/server/pages/page-context";
import { currentTime } from "#db/clock";
import { type Member, requireFreshLogin } from "#modules/identity";
import { paths } from "../../paths.ts";

/**
 * The signed-in person who proved a few minutes ago who they are, or a redirect to where that is done once more and from
 * there back to this page.
 */
export function requireFreshMember(context: PageContext, request: Request): Member {
  const member = requireMember(context, request);
  if (!requireFreshLogin(member, currentTime()).ok) {
    const { pathname, search } = new URL(request.url);
    throw redirectToConfirm(`${pathname}${search}`);
  }
  return member;
}

/** To the password, and back to `next` afterwards. */
export function redirectToConfirm(next: string): Response {
  return goTo(paths.settingsConfirm(next));
}
