import { expectStatus, signInAdministrator } from "../../support/people/registered-people.ts";
import {
  bankInfo,
  lateRefund,
  openPaidTrade,
  refundAccount,
  type ServerTrade,
} from "../../support/trades/server-trades.ts";
import { inPaidRoom } from "./begin.ts";
import type { FormCase, Values } from "./form-case.ts";

/** The steps of a trade that is paid. */
export const tradeForms: FormCase[] = [
  {
    name: "the seller's bank account",
    form: "bank-info",
    lookedOver: true,
    begin: (server) => {
      const { infoType: _, ibanNumber: __, ...right } = bankInfo;
      return inPaidRoom(server, "seller", right);
    },
    empty: {
      accountName: "validation.accountName",
      bankName: "validation.bankName",
      accountNumber: "validation.accountNumber",
      phoneNumber: "validation.phoneRequired",
      email: "validation.contactEmail",
    },
    wrong: [
      {
        values: { ...bankInfo, accountNumber: "12", phoneNumber: "123456789012", email: "bat@" } as Values,
        says: {
          accountNumber: "validation.accountNumber",
          phoneNumber: "validation.phone",
          email: "validation.contactEmail",
        },
      },
    ],
    leads: /\/chat\/\d+(\/trade)?$/,
    again: /\/chat\/\d+(\/trade)?$/,
  },
  {
    name: "information for the other side",
    form: "info",
    begin: (server) => inPaidRoom(server, "seller", { info: "Нэвтрэх нэр: bat" }),
    empty: { info: "validation.info" },
    leads: /\/chat\/\d+(\/trade)?$/,
    again: /\/chat\/\d+(\/trade)?$/,
  },
  {
    name: "a hand-over",
    form: "hand-over",
    begin: (server) => inPaidRoom(server, "seller", { note: "Чатаар өгсөн" }),
    leads: /\/chat\/\d+(\/trade)?$/,
    again: /\/chat\/\d+(\/trade)?$/,
  },
  {
    name: "what is handed over, sealed",
    form: "seal",
    begin: async (server) => {
      const { roomId, seller } = await openPaidTrade(server);
      const right = { login: "altan_burged", password: "Khangai-2025!", sure: "on" };
      return { at: `/chat/${roomId}/vault`, who: seller, right };
    },
    // Without its tick the browser sends no such form at all.
    wrong: [
      { values: { sure: "on" }, says: { "": "validation.vaultEmpty" } },
      {
        values: { login: "altan_burged", password: "Khangai-2025!", email: "altan", sure: "on" },
        says: { email: "validation.contactEmail" },
      },
    ],
    leads: /\/chat\/\d+\/vault$/,
    again: /\/chat\/\d+\/vault$/,
  },
  {
    name: "the steps after a hand-over was opened",
    form: "check",
    begin: async (server) => {
      const { roomId, seller, buyer, id } = await openPaidTrade(server);
      expectStatus(await seller.post(`/api/transactions/${id}/vault`, { login: "altan_burged" }), 200);
      expectStatus(await buyer.post(`/api/transactions/${id}/vault/open`), 200);
      return { at: `/chat/${roomId}/vault`, who: buyer, right: { password: "on" } };
    },
    empty: { "": "validation.vaultCheck" },
    leads: /\/chat\/\d+\/vault$/,
    again: /\/chat\/\d+\/vault$/,
  },
  {
    name: "a dispute",
    form: "dispute",
    begin: (server) => inPaidRoom(server, "buyer", { reason: "Нэвтэрч чадахгүй байна" }),
    empty: { reason: "validation.reason" },
    leads: /\/chat\/\d+(\/trade)?$/,
    again: /\/chat\/\d+(\/trade)?$/,
  },
  {
    name: "where a refund goes",
    form: "refund-destination",
    lookedOver: true,
    begin: async (server) => {
      const { roomId, buyer, seller, id } = await openPaidTrade(server);
      expectStatus(await buyer.post(`/api/transactions/${id}/cancel`), 200);
      expectStatus(await seller.post(`/api/transactions/${id}/cancel`), 200);
      return { at: `/chat/${roomId}/trade`, who: buyer, right: refundAccount };
    },
    empty: {
      accountName: "validation.accountName",
      bankName: "validation.bankName",
      accountNumber: "validation.accountNumber",
    },
    wrong: [
      {
        values: { accountName: "Dorj", bankName: "G", accountNumber: "12", ibanNumber: "MN12" },
        says: {
          bankName: "validation.bankName",
          accountNumber: "validation.accountNumber",
          ibanNumber: "validation.iban",
        },
      },
    ],
    leads: /\/chat\/\d+(\/trade)?$/,
    again: /\/chat\/\d+(\/trade)?$/,
  },
  {
    name: "where a refund goes, its room deleted",
    form: "refund-destination",
    lookedOver: true,
    begin: async (server) => {
      const deleted = ({ seller, roomId }: ServerTrade) => seller.delete(`/api/chat/rooms/${roomId}`);
      const { deal } = await lateRefund(server, await signInAdministrator(server), deleted);
      return { at: `/transactions/${deal.id}`, who: deal.buyer, right: refundAccount };
    },
    empty: {
      accountName: "validation.accountName",
      bankName: "validation.bankName",
      accountNumber: "validation.accountNumber",
    },
    leads: /\/transactions\/\d+$/,
    again: /\/transactions\/\d+$/,
  },
];
