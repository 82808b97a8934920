import { z } from "zod";
import { describeCall } from "#calls";
import { historyViewSchema, successReplySchema } from "../../trade/view/responses.ts";
import { listedUserSchema } from "../transactions/responses.ts";

export const listUsers = describeCall({
  summary: "List people; the `Link` header names the next page",
  group: "Back office: people",
  by: "admin",
  answers: z.array(listedUserSchema),
});

export const showUser = describeCall({
  summary: "Get a person",
  group: "Back office: people",
  by: "admin",
  answers: listedUserSchema,
  refuses: ["USER_NOT_FOUND"],
});

export const listTransactionsOfUser = describeCall({
  summary: "List a person's transactions",
  group: "Back office: people",
  by: "admin",
  answers: z.array(historyViewSchema),
  refuses: ["USER_NOT_FOUND"],
});

export const deleteUser = describeCall({
  summary: "Delete a person; the name is erased, the records of trades stay",
  group: "Back office: people",
  by: "freshAdmin",
  answers: successReplySchema,
  refuses: ["USER_NOT_FOUND", "OWN_ACCOUNT", "MONEY_HELD", "TRADE_UNDER_WAY"],
});
