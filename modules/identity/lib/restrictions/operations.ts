import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema } from "../core/responses.ts";
import type { confirmRestriction } from "./confirm-restriction.ts";
import type { liftRestriction } from "./lift-restriction.ts";
import { linkedAccountSchema, restrictionViewSchema } from "./responses.ts";
import type { restrictPerson } from "./restrict-person.ts";
import type { restrictionsOf } from "./restriction-views.ts";

export const listRestrictions = describeCall<typeof restrictionsOf>({
  summary: "List a person's restrictions and restricted accounts with the same phone, bank account or email",
  group: "Back office: people",
  by: "admin",
  answers: z.object({ restrictions: z.array(restrictionViewSchema), same: z.array(linkedAccountSchema) }),
  refuses: { USER_NOT_FOUND: true },
});

export const restrictUser = describeCall<typeof restrictPerson>({
  summary: "Limit or suspend a person until a given day",
  group: "Back office: people",
  by: "freshAdmin",
  answers: successReplySchema,
  refuses: { USER_NOT_FOUND: true, OWN_ACCOUNT: true, ADMIN_ACCOUNT: true },
});

export const confirmPermanentRestriction = describeCall<typeof confirmRestriction>({
  summary: "Confirm a permanent restriction as a second administrator",
  group: "Back office: people",
  by: "freshAdmin",
  answers: successReplySchema,
  refuses: {
    USER_NOT_FOUND: true,
    RESTRICTION_NOT_PROPOSED: true,
    FOUR_EYES_REQUIRED: true,
    FOUR_EYES_RELATED: true,
    PROPOSER_NOT_ADMIN: true,
    PROPOSAL_CHANGED: true,
  },
});

export const liftUserRestriction = describeCall<typeof liftRestriction>({
  summary: "Lift a person's restriction",
  group: "Back office: people",
  by: "freshAdmin",
  answers: successReplySchema,
  refuses: { USER_NOT_FOUND: true },
});
