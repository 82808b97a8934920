import { paths } from "../../paths.ts";

/** An address of the landing page that keeps where the person was going. */
export function landingPath(query: Record<string, string>, next: string): string {
  const search = new URLSearchParams({ ...query, ...(next !== paths.chat && { next }) }).toString();
  return search === "" ? paths.landing : `${paths.landing}?${search}`;
}

/** The sign-in address that continues to `next`. */
export function signInPath(next: string): string {
  return `${landingPath({}, next)}#auth`;
}

export const registerQuery = { tab: "register" };

/** The sign-up address that continues to `next`. */
export function signUpPath(next: string): string {
  return `${landingPath(registerQuery, next)}#auth`;
}
