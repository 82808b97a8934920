import { signInAdministrator } from "../../../support/people/registered-people.ts";
import type { FormCase } from "../form-case.ts";

/** The back office: the mail that tries the settings. */
export const mailForms: FormCase[] = [
  {
    name: "a trial mail",
    form: "test",
    begin: async (server) => ({
      at: "/admin/email",
      who: await signInAdministrator(server),
      right: { testEmail: "trial@example.mn" },
    }),
    empty: { testEmail: "validation.testEmail" },
    wrong: [{ values: { testEmail: "trial" }, says: { testEmail: "validation.email" } }],
    leads: /\/admin\/email$/,
    again: /\/admin\/email$/,
  },
];

/** The back office: a filter of each list, to be kept. */
export const filterForms: FormCase[] = ["/admin/transactions", "/admin/users", "/admin/activity-logs"].map(
  (list) => ({
    name: `a filter of ${list} to keep`,
    form: "save-filter",
    begin: async (server) => {
      // What is asked for differs, so that other tests of the same list keep other filters.
      const words = crypto.randomUUID().slice(0, 8);
      const name = list === "/admin/activity-logs" ? "user" : "q";
      const right = { name: `Шүүлт ${words}` };
      return { at: `${list}?${name}=${words}`, who: await signInAdministrator(server), right };
    },
    empty: { name: "validation.required" },
    leads: /\?(?:q|user)=\w+$/,
    again: /\?(?:q|user)=\w+$/,
  }),
);
