import { registerPerson, signInAdministrator } from "../../../support/people/registered-people.ts";
import type { Server } from "../../../support/server/midman-server.ts";
import type { Begun, FormCase, Values } from "../form-case.ts";

/** Somebody's page, as the administrator sees it. */
async function atUser(server: Server, right: (who: { username: string }) => Values): Promise<Begun> {
  const { id, username } = await registerPerson(server);
  return { at: `/admin/users/${id}`, who: await signInAdministrator(server), right: right({ username }) };
}

/** The back office: the account of a member. */
export const userForms: FormCase[] = [
  {
    name: "somebody's profile",
    form: "edit",
    begin: (server) => {
      const right = { displayName: "Dorj Bat", phoneNumber: "99112233", bankAccount: "5001002003" };
      return atUser(server, () => right);
    },
    empty: { displayName: "validation.displayName" },
    wrong: [
      {
        values: { displayName: "Dorj Bat", phoneNumber: "12" },
        says: { phoneNumber: "validation.phone" },
      },
    ],
    leads: /\/admin\/users\/\d+$/,
    again: /\/admin\/users\/\d+$/,
  },
  {
    name: "the end of somebody's account",
    form: "delete-user",
    begin: (server) => atUser(server, ({ username }) => ({ confirmation: username })),
    empty: { confirmation: "validation.usernameRequired" },
    wrong: [{ values: { confirmation: "somebody" }, says: { confirmation: "validation.otherUsername" } }],
    leads: /\/admin\/users$/,
    again: /\/admin\/users\/\d+$/,
  },
];
