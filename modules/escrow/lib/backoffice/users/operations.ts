import { z } from "zod";
import { call } from "#calls";
import { done, historyView } from "../../trade/view/responses.ts";
import { listedUser } from "../transactions/responses.ts";

export const listUsers = call({
  summary: "People; the header `Link` names the next page",
  group: "Back office: people",
  by: "admin",
  answers: z.array(listedUser),
});

export const showUser = call({
  summary: "A person",
  group: "Back office: people",
  by: "admin",
  answers: listedUser,
  refuses: ["USER_NOT_FOUND"],
});

export const listTransactionsOfUser = call({
  summary: "A person's transactions",
  group: "Back office: people",
  by: "admin",
  answers: z.array(historyView),
  refuses: ["USER_NOT_FOUND"],
});

export const deleteUser = call({
  summary: "Delete a person: their name goes, the records of trades stay",
  group: "Back office: people",
  by: "freshAdmin",
  answers: done,
  refuses: ["USER_NOT_FOUND", "OWN_ACCOUNT", "MONEY_HELD", "TRADE_UNDER_WAY"],
});
