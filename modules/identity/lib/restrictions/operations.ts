import { z } from "zod";
import { describeCall } from "#calls";
import { successReplySchema } from "../core/responses.ts";
import { linkedAccountSchema, restrictionViewSchema } from "./responses.ts";

export const listRestrictions = describeCall({
  summary: "List a person's restrictions, and restricted accounts with the same phone, bank account or email",
  group: "Back office: people",
  by: "admin",
  answers: z.object({ restrictions: z.array(restrictionViewSchema), same: z.array(linkedAccountSchema) }),
  refuses: ["USER_NOT_FOUND"],
});

export const restrictUser = describeCall({
  summary: "Limit or suspend a person until a day",
  group: "Back office: people",
  by: "freshAdmin",
  answers: successReplySchema,
  refuses: ["USER_NOT_FOUND", "OWN_ACCOUNT", "ADMIN_ACCOUNT"],
});

export const confirmPermanentRestriction = describeCall({
  summary: "Confirm a permanent restriction as a second administrator",
  group: "Back office: people",
  by: "freshAdmin",
  answers: successReplySchema,
  refuses: [
    "USER_NOT_FOUND",
    "RESTRICTION_NOT_PROPOSED",
    "FOUR_EYES_REQUIRED",
    "FOUR_EYES_RELATED",
    "PROPOSER_NOT_ADMIN",
    "PROPOSAL_CHANGED",
  ],
});

export const liftUserRestriction = describeCall({
  summary: "Lift a person's restriction",
  group: "Back office: people",
  by: "freshAdmin",
  answers: successReplySchema,
  refuses: ["USER_NOT_FOUND"],
});
