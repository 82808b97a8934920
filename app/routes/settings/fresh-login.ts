import { goTo, type PageContext, requireMember } from "#app/server/pages/page-context";
import { currentTime } from "#db/clock";
import { type Member, requireFreshLogin } from "#modules/identity";
import { paths } from "../../paths.ts";

/** The signed-in member with a fresh login; otherwise throws a redirect to the page that asks for the password and returns here. */
export function requireFreshMember(context: PageContext, request: Request): Member {
  const member = requireMember(context, request);
  if (!requireFreshLogin(member, currentTime()).ok) {
    const { pathname, search } = new URL(request.url);
    throw redirectToConfirm(`${pathname}${search}`);
  }
  return member;
}

/** Redirects to the page that asks for the password and then leads to `next`. */
export function redirectToConfirm(next: string): Response {
  return goTo(paths.settingsConfirm(next));
}
