import { z } from "zod";
import { call } from "#calls";
import { done } from "../core/responses.ts";
import { linkedAccount, restrictionView } from "./responses.ts";

export const listRestrictions = call({
  summary:
    "List the restrictions of a person, and restricted accounts with the same phone, bank account or e-mail address",
  group: "Back office: people",
  by: "admin",
  answers: z.object({ restrictions: z.array(restrictionView), same: z.array(linkedAccount) }),
  refuses: ["USER_NOT_FOUND"],
});

export const restrictUser = call({
  summary: "Limit or suspend a person until a day",
  group: "Back office: people",
  by: "freshAdmin",
  answers: done,
  refuses: ["USER_NOT_FOUND", "OWN_ACCOUNT", "ADMIN_ACCOUNT"],
});

export const confirm = call({
  summary: "Confirm that a restriction lasts for good, as a second administrator",
  group: "Back office: people",
  by: "freshAdmin",
  answers: done,
  refuses: [
    "USER_NOT_FOUND",
    "RESTRICTION_NOT_PROPOSED",
    "FOUR_EYES_REQUIRED",
    "FOUR_EYES_RELATED",
    "PROPOSER_NOT_ADMIN",
    "PROPOSAL_CHANGED",
  ],
});

export const lift = call({
  summary: "Lift a person's restriction",
  group: "Back office: people",
  by: "freshAdmin",
  answers: done,
  refuses: ["USER_NOT_FOUND"],
});
