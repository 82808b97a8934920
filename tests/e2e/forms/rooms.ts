import { expectStatus, registerPerson } from "../../support/people/registered-people.ts";
import { requestPayment } from "../../support/trades/server-trades.ts";
import { inRoom, someone } from "./begin.ts";
import type { FormCase } from "./form-case.ts";

/** Rooms, what is said in them, and the request that opens a trade. */
export const roomForms: FormCase[] = [
  {
    name: "a new room",
    form: "create",
    begin: (server) => someone(server, "/chat?dialog=create", { name: "Дота 2 бүртгэл" }),
    empty: { name: "validation.roomNameMissing" },
    wrong: [{ values: { name: "ab" }, says: { name: "validation.roomNameShort" } }],
    leads: /\/chat\/\d+(\/trade)?$/,
    again: /\/chat\/\d+(\/trade)?$/,
  },
  {
    name: "joining a room",
    form: "join",
    begin: async (server) => {
      const seller = await registerPerson(server);
      const room = expectStatus(
        await seller.post("/api/chat/rooms", { name: "A game account" }),
        200,
        201,
      ).body;
      const { inviteCode } = expectStatus(await seller.post(`/api/chat/rooms/${room.id}/invite`), 200).body;
      return someone(server, "/chat?dialog=join", { code: inviteCode });
    },
    empty: { code: "validation.inviteCodeShort?length=10" },
    wrong: [
      { values: { code: "12345" }, says: { code: "validation.inviteCodeShort?length=10" } },
      { values: { code: "ABCDEFGH22" }, says: { "": "errors.INVITE_INVALID" }, status: 404 },
    ],
    leads: /\/chat\/\d+(\/trade)?$/,
    again: /\/chat\/\d+(\/trade)?$/,
  },
  {
    name: "a payment request",
    form: "create-trade",
    lookedOver: true,
    begin: (server) =>
      inRoom(server, "seller", { amount: "100000", goods: "account", description: "Түвшин 80" }, "/trade"),
    empty: { amount: "validation.amount", goods: "validation.goods" },
    wrong: [
      { values: { amount: "0", goods: "key" }, says: { amount: "validation.amount" } },
      { values: { amount: "a lot", goods: "key" }, says: { amount: "validation.amount" } },
    ],
    leads: /\/chat\/\d+(\/trade)?$/,
    // The same request is the same trade.
    again: /\/chat\/\d+(\/trade)?$/,
  },
  {
    name: "a corrected payment request",
    form: "amend",
    lookedOver: true,
    begin: async (server) => {
      const { roomId, seller } = await requestPayment(server);
      return { at: `/chat/${roomId}/trade`, who: seller, right: { amount: "120000" } };
    },
    wrong: [{ values: { amount: "-5" }, says: { amount: "validation.amount" } }],
    leads: /\/chat\/\d+(\/trade)?$/,
    again: /\/chat\/\d+(\/trade)?$/,
  },
  {
    name: "a message",
    form: "message",
    begin: (server) => inRoom(server, "buyer", { content: "Сайн байна уу?" }),
    empty: { content: "validation.messageBlank" },
    wrong: [
      { values: { content: "   " }, says: { content: "validation.messageBlank" } },
      { values: { content: "\u200b\u3164" }, says: { content: "validation.messageBlank" } },
    ],
    leads: /\/chat\/\d+(\/trade)?$/,
    again: /\/chat\/\d+(\/trade)?$/,
  },
  {
    name: "a message from the transaction's page",
    form: "message",
    begin: async (server) => {
      const { id, buyer } = await requestPayment(server);
      return { at: `/transactions/${id}`, who: buyer, right: { content: "Сайн байна уу?" } };
    },
    empty: { content: "validation.messageBlank" },
    wrong: [
      { values: { content: "   " }, says: { content: "validation.messageBlank" } },
      { values: { content: "\u200b\u3164" }, says: { content: "validation.messageBlank" } },
    ],
    leads: /\/transactions\/\d+$/,
    again: /\/transactions\/\d+$/,
  },
];
