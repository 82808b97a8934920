import { daysAfter, formatDay } from "#format";
import type { RestrictInput } from "../../forms.ts";
import type { Actor } from "../core/actor.ts";
import { visitor } from "../core/people.fixture.ts";
import { signInWithPassword } from "../login/login.ts";
import { restrictionsOf } from "./restriction-views.ts";

/** The day that is `days` after a moment, as a form sends it. */
export const dayAhead = (at: Date, days: number) => daysAfter(formatDay(at), days);

/** A week's suspension for fraud, unless given otherwise. */
export function restrictionInput(at: Date, parts: Partial<RestrictInput> = {}): RestrictInput {
  return {
    ...{ kind: "suspend", cause: "fraud", note: "two reports of the same buyer" },
    ...{ until: dayAhead(at, 7), forGood: false },
    ...parts,
  };
}

/** Signs a person in with their password. */
export const signInAs = ({ username, password }: { username: string; password: string }) =>
  signInWithPassword(visitor(), { username, password });

/** A person's restrictions as shown to an administrator. */
export async function restrictionsShownTo(admin: { actor: Actor }, id: number) {
  const seen = await restrictionsOf(admin.actor, id);
  if (!seen.ok) throw new Error(seen.code);
  return seen;
}
