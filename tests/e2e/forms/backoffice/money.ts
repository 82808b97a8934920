import { expectStatus, signInAdministrator } from "../../../support/people/registered-people.ts";
import type { FormCase } from "../form-case.ts";

/** The back office: settlements and the halt switch. */
export const moneyForms: FormCase[] = [
  {
    name: "a settlement",
    form: "settlement",
    begin: async (server) => ({
      at: "/admin/money/settlements",
      who: await signInAdministrator(server),
      right: { bankReference: "QPAY-1", received: "1,980,000", cost: "20,000" },
    }),
    empty: {
      bankReference: "validation.bankReference",
      received: "validation.settled",
      cost: "validation.settled",
    },
    wrong: [
      {
        values: { bankReference: "QPAY-1", received: "0", cost: "0" },
        says: { received: "validation.settled" },
      },
    ],
    leads: /\/admin\/money\/settlements$/,
    again: /\/admin\/money\/settlements$/,
  },
  {
    name: "a settlement laid aside",
    form: "lay-aside",
    begin: async (server) => {
      const who = await signInAdministrator(server);
      const seen = { bankReference: "QPAY-ASIDE", received: 990, cost: 10 };
      expectStatus(await who.post("/api/admin/settlements", seen), 200);
      return {
        at: "/admin/money/settlements",
        who,
        right: { reason: "Өөр данс руу орсон шилжүүлэг байсан" },
      };
    },
    empty: { reason: "validation.reasonMissing" },
    leads: /\/admin\/money\/settlements$/,
    again: /\/admin\/money\/settlements$/,
  },
  {
    name: "the halt switch",
    form: "halt",
    begin: async (server) => ({
      at: "/admin/money",
      who: await signInAdministrator(server),
      right: { reason: "The bank was broken into", word: "HALT" },
    }),
    empty: { reason: "validation.reasonMissing", word: "validation.haltWord" },
    wrong: [{ values: { reason: "Why not", word: "STOP" }, says: { word: "validation.haltWord" } }],
    leads: /\/admin\/money$/,
    again: /\/admin\/money$/,
  },
];
