import { postAsShown } from "../../../support/backoffice/post-as-shown.ts";
import { expectStatus, signInAdministrator } from "../../../support/people/registered-people.ts";
import {
  bankInfo,
  deleteBuyerAccount,
  lateRefund,
  openPaidTrade,
  refundAccount,
  requestPayment,
} from "../../../support/trades/server-trades.ts";
import type { FormCase } from "../form-case.ts";

/** The back office: rulings, and the money of one transaction. */
export const transactionForms: FormCase[] = [
  {
    name: "a ruling",
    form: "rule",
    begin: async (server) => {
      const { buyer, id } = await openPaidTrade(server);
      expectStatus(
        await buyer.post(`/api/transactions/${id}/dispute`, { reason: "It does not work" }),
        200,
        201,
      );
      const who = await signInAdministrator(server);
      return {
        at: `/admin/disputes/${id}?ruling=release`,
        who,
        right: { reason: "It was handed over", sum: "100,000", warningsConfirmed: "on" },
      };
    },
    empty: { reason: "validation.rulingReason", sum: "validation.rulingSum" },
    wrong: [
      { values: { reason: "", sum: "100,000" }, says: { reason: "validation.rulingReason" } },
      { values: { reason: "Хагас нь ирсэн", sum: "half" }, says: { sum: "validation.rulingSum" } },
      {
        values: { reason: "Хагас нь ирсэн", sum: "100,000" },
        says: { "": "errors.RULING_WARNED" },
        status: 409,
      },
    ],
    leads: /\/admin\/disputes\/\d+$/,
    again: /\/admin\/disputes\/\d+$/,
  },
  {
    name: "the seller's money",
    form: "pay-seller",
    begin: async (server) => {
      const { seller, id } = await openPaidTrade(server);
      expectStatus(await seller.post(`/api/transactions/${id}/bank-info`, bankInfo), 200, 201);
      const who = await signInAdministrator(server);
      return { at: `/admin/transactions/${id}`, who, right: { sum: "100,000" } };
    },
    empty: { sum: "validation.rulingSum" },
    wrong: [{ values: { sum: "all of it" }, says: { sum: "validation.rulingSum" } }],
    leads: /\/admin\/transactions\/\d+$/,
    again: /\/admin\/transactions\/\d+$/,
  },
  {
    name: "the end of a paid transaction",
    form: "cancel",
    begin: async (server) => {
      const { id } = await openPaidTrade(server);
      const who = await signInAdministrator(server);
      return { at: `/admin/transactions/${id}`, who, right: { sum: "110,000" } };
    },
    empty: { sum: "validation.rulingSum" },
    wrong: [{ values: { sum: "all of it" }, says: { sum: "validation.rulingSum" } }],
    leads: /\/admin\/transactions\/\d+$/,
    again: /\/admin\/transactions\/\d+$/,
  },
  {
    name: "a mediator's words",
    form: "mediate",
    begin: async (server) => {
      const { buyer, id } = await openPaidTrade(server);
      expectStatus(
        await buyer.post(`/api/transactions/${id}/dispute`, { reason: "It does not work" }),
        200,
        201,
      );
      const who = await signInAdministrator(server);
      expectStatus(await who.post(`/api/admin/transactions/${id}/dispute/take`), 200);
      return { at: `/admin/disputes/${id}`, who, right: { words: "Нэвтрэх хуудсаа харуулна уу" } };
    },
    empty: { words: "validation.mediation" },
    leads: /\/admin\/disputes\/\d+$/,
    again: /\/admin\/disputes\/\d+$/,
  },
  {
    name: "a payment by hand",
    begin: async (server) => {
      const { id } = await requestPayment(server);
      const right = { amount: "110,000", reference: `SLIP-${id}` };
      return { at: `/admin/transactions/${id}/by-hand`, who: await signInAdministrator(server), right };
    },
    empty: { amount: "validation.amount", reference: "validation.bankReference" },
    wrong: [{ values: { amount: "0", reference: "X-1" }, says: { amount: "validation.amount" } }],
    leads: /\/admin\/transactions\/\d+$/,
    again: /\/admin\/transactions\/\d+$/,
  },
  {
    name: "a payment by hand laid aside",
    form: "lay-aside",
    begin: async (server) => {
      const { id } = await requestPayment(server);
      const who = await signInAdministrator(server);
      const slip = { amount: 110_000, reference: `ASIDE-${id}` };
      expectStatus(await who.post(`/api/admin/transactions/${id}/confirm-payment`, slip), 200);
      const right = { reason: "Өөр гүйлгээний баримт байсан" };
      return { at: `/admin/transactions/${id}/by-hand`, who, right };
    },
    empty: { reason: "validation.reasonMissing" },
    leads: /\/by-hand$/,
    again: /\/by-hand$/,
  },
  {
    name: "money in doubt",
    form: "unknown",
    begin: async (server) => {
      const { buyer, id } = await openPaidTrade(server);
      const who = await signInAdministrator(server);
      expectStatus(await who.post(`/api/admin/transactions/${id}/cancel`), 200);
      expectStatus(await buyer.post(`/api/transactions/${id}/refund-destination`, refundAccount), 200, 201);
      const { payouts } = expectStatus(await who.get(`/api/admin/transactions/${id}`), 200)
        .body as unknown as {
        payouts: Array<{ id: number }>;
      };
      const payout = payouts[0]?.id;
      expectStatus(await postAsShown(who, `/api/admin/payouts/${payout}/approve`), 200);
      return { at: `/admin/payouts/${payout}`, who, right: { reason: "The bank's page broke off" } };
    },
    empty: { reason: "validation.reasonMissing" },
    leads: /\/admin\/payouts\/\d+$/,
    again: /\/admin\/payouts\/\d+$/,
  },
  {
    name: "a refund's account in its buyer's place",
    form: "destination",
    lookedOver: true,
    begin: async (server) => {
      const who = await signInAdministrator(server);
      const { refund } = await lateRefund(server, who, deleteBuyerAccount);
      const right = { ...refundAccount, reason: "Төлбөр илгээсэн банк баталсан" };
      return { at: `/admin/payouts/${refund}`, who, right };
    },
    empty: {
      accountName: "validation.accountName",
      bankName: "validation.bankName",
      accountNumber: "validation.accountNumber",
      reason: "validation.accountProof",
    },
    leads: /\/admin\/payouts\/\d+$/,
    again: /\/admin\/payouts\/\d+$/,
  },
];
