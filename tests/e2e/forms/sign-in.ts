import { expect } from "@playwright/test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { expectStatus, registerPerson } from "../../support/people/registered-people.ts";
import { type Server, testAdministrator } from "../../support/server/midman-server.ts";
import type { FormCase } from "./form-case.ts";
import { longPassword, mismatch, newPassword, shortPasswords } from "./passwords.ts";

/** The path of the link that a mail brings to somebody who forgot their password. */
async function resetLink(server: Server): Promise<string> {
  const { email } = await registerPerson(server);
  expectStatus(await server.client().post("/api/auth/forgot-password", { email }), 200);
  let link: string | undefined;
  await expect(async () => {
    const mails = expectStatus(
      await server.client().get(`/sandbox/mail.json?to=${encodeURIComponent(email)}`),
      200,
    ).list;
    link = mails
      .flatMap(({ links }) => links as string[])
      .find((one) => one.includes("/reset-password?token="));
    expect(link).toBeDefined();
  }).toPass();
  const { pathname, search } = new URL(link ?? "");
  return pathname + search;
}

/** Signing in and up, and the ways back to an account. */
export const signInForms: FormCase[] = [
  {
    name: "sign in",
    form: "login",
    begin: async (server) => {
      const { username, password } = await registerPerson(server);
      return { at: "/", right: { username, password } };
    },
    empty: { username: "validation.username", password: "validation.password" },
    wrong: [
      {
        values: { username: "bo", password: "12345" },
        says: { username: "validation.username", password: "validation.password" },
      },
      {
        values: { username: "nobody.here", password: longPassword },
        says: { "": "errors.INVALID_CREDENTIALS" },
        status: 401,
      },
    ],
    leads: /\/chat$/,
    again: /\/chat$/,
  },
  {
    name: "sign up",
    form: "register",
    begin: async () => {
      const username = `new${crypto.randomUUID().slice(0, 8)}`;
      const right = {
        username,
        displayName: "Болд",
        email: `${username}@example.mn`,
        password: longPassword,
      };
      return { at: "/?tab=register", right };
    },
    empty: {
      username: "validation.username",
      displayName: "validation.displayName",
      email: "validation.email",
      password: "validation.password",
    },
    wrong: [
      {
        values: { username: "болд bat", displayName: "Б", email: "bold@", password: "12345" },
        says: {
          username: "validation.usernameCharacters",
          displayName: "validation.displayName",
          email: "validation.email",
          password: "validation.password",
        },
      },
    ],
    leads: /\/chat$/,
    // Who has signed up by then is signed in, and is taken where they were going.
    again: /\/chat(#auth)?$/,
  },
  {
    name: "a forgotten password",
    form: "forgot",
    begin: async (server) => ({
      at: "/?dialog=forgot-password",
      right: { email: (await registerPerson(server)).email },
    }),
    empty: { email: "validation.email" },
    wrong: [{ values: { email: "bold at example" }, says: { email: "validation.email" } }],
    leads: /dialog=forgot-password&sent/,
    again: /dialog=forgot-password&sent/,
  },
  {
    name: "a new password by a mail's link",
    begin: async (server) => ({ at: await resetLink(server), right: newPassword }),
    empty: shortPasswords,
    wrong: [mismatch],
    leads: /\/reset-password\?done/,
    again: { status: 400, tells: "errors.RESET_LINK_INVALID" },
  },
  {
    name: "another password",
    begin: async (server) => {
      const who = await registerPerson(server);
      return { at: "/change-password", who, right: { currentPassword: who.password, ...newPassword } };
    },
    empty: { currentPassword: "validation.passwordRequired", ...shortPasswords },
    wrong: [
      {
        values: { currentPassword: "not it", ...newPassword },
        says: { currentPassword: "errors.PASSWORD_WRONG" },
      },
    ],
    leads: /\/chat$/,
    again: { status: 422, says: { currentPassword: "errors.PASSWORD_WRONG" } },
  },
  {
    name: "another name in place of one that is not allowed",
    begin: async (server) => {
      const who = await registerPerson(server);
      connectDatabase(server.databaseUrl);
      await db().execute(sql`UPDATE identity.users SET display_name = 'QPay' WHERE id = ${who.id}`);
      await disconnectDatabase();
      return { at: "/choose-name", who, right: { displayName: "Болд" } };
    },
    empty: { displayName: "validation.nameReserved" },
    wrong: [{ values: { displayName: "evil.mn" }, says: { displayName: "validation.nameLink" } }],
    leads: /\/chat$/,
    again: /\/chat$/,
  },
  {
    name: "the administrators' sign-in",
    begin: async () => ({ at: "/admin/login", right: { ...testAdministrator } }),
    empty: { username: "validation.usernameRequired", password: "validation.passwordRequired" },
    wrong: [
      {
        values: { username: "admin", password: "not the password" },
        says: { "": "errors.ADMIN_CREDENTIALS" },
        status: 401,
      },
    ],
    leads: /\/admin$/,
    again: /\/admin$/,
  },
];
