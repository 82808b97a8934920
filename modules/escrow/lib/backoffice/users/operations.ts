import { z } from "zod";
import { describeCall } from "#calls";
import type { deleteUserAsAdmin } from "#modules/identity";
import { historyViewSchema, successReplySchema } from "../../trade/view/responses.ts";
import { listedUserSchema } from "../transactions/responses.ts";
import type { adminTradesOf, adminUser, adminUsers } from "./user-view.ts";

export const listUsers = describeCall<typeof adminUsers>({
  summary: "List people; the `Link` header has the next page",
  group: "Back office: people",
  by: "admin",
  answers: z.array(listedUserSchema),
});

export const showUser = describeCall<typeof adminUser>({
  summary: "Get a person",
  group: "Back office: people",
  by: "admin",
  answers: listedUserSchema,
  refuses: { USER_NOT_FOUND: true },
});

export const listTransactionsOfUser = describeCall<typeof adminTradesOf>({
  summary: "List a person's transactions",
  group: "Back office: people",
  by: "admin",
  answers: z.array(historyViewSchema),
  refuses: { USER_NOT_FOUND: true },
});

export const deleteUser = describeCall<typeof deleteUserAsAdmin>({
  summary: "Delete a person; their name is erased and trade records are kept",
  group: "Back office: people",
  by: "freshAdmin",
  answers: successReplySchema,
  refuses: { USER_NOT_FOUND: true, OWN_ACCOUNT: true, MONEY_HELD: true, TRADE_UNDER_WAY: true },
});
