import { expectStatus, registerPerson } from "../../support/people/registered-people.ts";
import { codeOf } from "../enrolment.ts";
import { someone } from "./begin.ts";
import type { FormCase } from "./form-case.ts";
import { newPassword, shortPasswords } from "./passwords.ts";

const asked = {
  topic: "payment",
  name: "Болд",
  email: "bold@example.mn",
  message: "Төлбөр төлсөн боловч баталгаажаагүй байна.",
};

/** The support form, the profile and the settings. */
export const accountForms: FormCase[] = [
  {
    name: "support, as a visitor",
    form: "",
    begin: async () => ({ at: "/support", right: asked }),
    empty: {
      topic: "validation.supportTopic",
      name: "validation.supportName",
      email: "validation.contactEmail",
      message: "validation.supportMessage",
    },
    wrong: [
      {
        values: { ...asked, code: "MM-1", email: "bold@", message: "help" },
        says: {
          code: "validation.transactionCode",
          email: "validation.contactEmail",
          message: "validation.supportMessage",
        },
      },
    ],
    leads: /\/support\?sent=/,
    again: /\/support\?sent=/,
  },
  {
    name: "support, signed in",
    form: "",
    begin: (server) => someone(server, "/support", { topic: "room", message: asked.message }),
    empty: { topic: "validation.supportTopic", message: "validation.supportMessage" },
    leads: /\/support\?sent=/,
    again: /\/support\?sent=/,
  },
  {
    name: "the profile",
    form: "profile",
    begin: (server) => someone(server, "/profile", { phoneNumber: "99112233", bankAccount: "5012345678" }),
    wrong: [{ values: { phoneNumber: "12" }, says: { phoneNumber: "validation.phone" } }],
    leads: /\/profile$/,
    again: /\/profile$/,
  },
  {
    name: "another password in the settings",
    form: "password",
    begin: async (server) => {
      const who = await registerPerson(server);
      return { at: "/settings", who, right: { currentPassword: who.password, ...newPassword } };
    },
    empty: { currentPassword: "validation.passwordRequired", ...shortPasswords },
    leads: /\/settings#password$/,
    again: { status: 422, says: { currentPassword: "errors.PASSWORD_WRONG" } },
  },
  {
    name: "notifications",
    form: "notifications",
    begin: (server) => someone(server, "/settings", {}),
    leads: /\/settings#notifications$/,
    again: /\/settings#notifications$/,
  },
  {
    name: "quiet hours",
    form: "quiet",
    begin: (server) => someone(server, "/settings", { quietFrom: "22:30", quietTo: "07:00" }),
    wrong: [
      {
        values: { quietFrom: "22:30", quietTo: "" },
        says: { quietTo: "validation.quietBoth" },
      },
    ],
    leads: /\/settings#quiet$/,
    again: /\/settings#quiet$/,
  },
  {
    name: "a proof of who is there",
    form: "confirm",
    begin: async (server) => {
      const who = await registerPerson(server);
      return { at: "/settings/confirm", who, right: { password: who.password } };
    },
    empty: { password: "validation.passwordRequired" },
    wrong: [{ values: { password: "not it" }, says: { password: "errors.PASSWORD_WRONG" } }],
    leads: /\/settings$/,
    again: /\/settings$/,
  },
  {
    name: "a second factor",
    form: "confirm",
    begin: async (server) => {
      const who = await registerPerson(server);
      const { secret } = expectStatus(await who.post("/api/users/me/second-factor"), 200).body;
      return { at: "/settings/second-factor", who, right: { code: codeOf(String(secret), new Date()) } };
    },
    empty: { code: "validation.secondFactorDigits" },
    wrong: [{ values: { code: "12" }, says: { code: "validation.secondFactorDigits" } }],
    leads: /\/settings\/second-factor$/,
    again: /\/settings#factor$/,
  },
  {
    name: "the end of an account",
    form: "delete",
    begin: async (server) => {
      const who = await registerPerson(server);
      const right = { confirmation: who.username, password: who.password };
      return { at: "/settings/delete", who, right };
    },
    empty: { confirmation: "validation.usernameRequired", password: "validation.passwordRequired" },
    leads: /\/$/,
    again: /\/\?next=/,
  },
];
