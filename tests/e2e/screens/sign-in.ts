import { password } from "../enrolment.ts";
import { post, send } from "./acts.ts";
import type { Screen } from "./screen.ts";

/** The sign-in of somebody whose second factor then asks for its code. */
const signInCarefully: Screen["act"] = post("login", { username: "naran", password });

const wrongRegistration = { username: "б", displayName: "Б", email: "болд", password: "123" };

/** The landing page with its sign-in and sign-up, and what leads to a password. */
export const signInScreens: Screen[] = [
  { name: "landing", route: "/", at: "/", public: true },
  { name: "landing-sign-up", route: "/", at: "/?tab=register" },
  { name: "landing-forgot", route: "/", at: "/?dialog=forgot-password" },
  { name: "landing-guarded", route: "/", at: "/chat" },
  {
    name: "landing-sign-in-wrong",
    route: "/",
    at: "/",
    status: 422,
    act: post("login", { username: "bo", password: "1" }),
  },
  {
    name: "landing-sign-in-refused",
    route: "/",
    at: "/",
    status: 401,
    act: post("login", { username: "bold", password: "not my password" }),
  },
  {
    name: "landing-sign-up-wrong",
    route: "/",
    at: "/?tab=register",
    status: 422,
    act: post("register", wrongRegistration),
  },
  {
    name: "landing-forgot-sent",
    route: "/",
    at: "/?dialog=forgot-password",
    act: post("forgot", { email: "nobody@example.mn" }),
  },
  { name: "reset-password-dead", route: "reset-password", at: "/reset-password?token=AAAAAAAAAAAAAAAAAAAA" },
  { name: "reset-password-done", route: "reset-password", at: "/reset-password?done" },
  { name: "change-password", route: "change-password", at: "/change-password", as: "newcomer" },
  {
    name: "change-password-wrong",
    route: "change-password",
    at: "/change-password",
    as: "newcomer",
    status: 422,
    act: send({ currentPassword: "", newPassword: "one secret word", confirmPassword: "another word" }),
  },
  { name: "landing-fees", route: "/", at: "/?amount=1250000&payer=split" },
  { name: "landing-fees-wrong", route: "/", at: "/?amount=abc", status: 422 },
  { name: "sign-in-code", route: "sign-in/code", at: "/", act: signInCarefully },
  {
    name: "sign-in-code-wrong",
    route: "sign-in/code",
    at: "/",
    status: 422,
    act: async (page, world) => {
      await signInCarefully?.(page, world);
      await send({ code: "12" })?.(page, world);
    },
  },
];
