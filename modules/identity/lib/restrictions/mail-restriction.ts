import type { Tx } from "#db/client";
import { sendMail } from "#modules/mailer";
import type { RestrictionCause, RestrictionKind } from "../../forms.ts";
import type { UserRow } from "../core/users/find-users.ts";

type RestrictionNotice = { event: RestrictionKind | "lifted"; cause: RestrictionCause; until: Date | null };

/**
 * Mails a person what was decided about their account, in fixed texts without anything an administrator typed. `until` is null if
 * permanent.
 */
export async function mailRestriction(
  tx: Tx,
  user: UserRow,
  { event, cause, until }: RestrictionNotice,
  at: Date,
): Promise<void> {
  if (user.email === null) return;
  await sendMail(tx, {
    template: "accountRestricted",
    to: user.email,
    language: user.language,
    data: { event, cause, moment: at.toISOString(), deadline: until?.toISOString() ?? "", url: "/support" },
    userId: user.id,
  });
}
