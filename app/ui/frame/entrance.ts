import { paths } from "../../paths.ts";

/** An address of the landing page that keeps where the person was going. */
export function entrance(query: Record<string, string>, next: string): string {
  const search = new URLSearchParams({ ...query, ...(next !== paths.chat && { next }) }).toString();
  return search === "" ? paths.landing : `${paths.landing}?${search}`;
}

/** Where one signs in and then goes on to `next`. */
export function signInAt(next: string): string {
  return `${entrance({}, next)}#auth`;
}

export const registering = { tab: "register" };

/** Where one signs up and then goes on to `next`. */
export function signUpAt(next: string): string {
  return `${entrance(registering, next)}#auth`;
}
