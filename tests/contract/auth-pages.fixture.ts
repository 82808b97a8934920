import type { Reply } from "../support/server/http-client.ts";
import { testAdministrator } from "../support/server/midman-server.ts";

/** A page without React's comments and escapes. */
export const plain = (html: string) =>
  html
    .replaceAll("<!-- -->", "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

/** One form of a page, by its hidden name. */
export function formOf(page: string, name: string): string {
  const forms = [...plain(page).matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([form]) => form);
  return forms.find((form) => form.includes(`name="form" value="${name}"`)) ?? "";
}

/** The value of a field in a form. */
export function typedIn(form: string, name: string): string | undefined {
  const input = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(form)?.[0];
  return input && (/ value="([^"]*)"/.exec(input)?.[1] ?? "");
}

/** The messages that stand beside fields or over a form. */
export const alerts = (page: string) =>
  [...plain(page).matchAll(/<p role="alert"[^>]*>.*?<span[^>]*>(.*?)<\/span><\/p>/gs)].map(
    ([, said]) => said,
  );

/** The text of the toast that a page shows. */
export const toast = (page: string) =>
  /data-toasts[^>]*><div[^>]*><svg.*?<\/svg><p [^>]*>(.*?)<\/p>/s.exec(plain(page))?.[1];
export const location = (reply: Reply) => reply.headers.get("location") ?? "";

let made = 0;
/** The fields of a registration, of somebody new each time. */
export const newcomer = () => {
  const username = `page${++made}x${crypto.randomUUID().slice(0, 8)}`;
  return {
    form: "register",
    username,
    displayName: "Bold Dorj",
    email: `${username}@example.mn`,
    password: "a long enough secret",
    avatarInitials: "",
  };
};

/** Forms that are refused, and what the page says. */
export const refused: Array<{
  what: string;
  path: string;
  body: Record<string, string>;
  status: number;
  says: string[];
}> = [
  {
    what: "sign-in, empty",
    path: "/",
    body: { form: "login", username: "", password: "" },
    status: 422,
    says: ["validation.username", "validation.password"],
  },
  {
    what: "sign-in, wrong",
    path: "/",
    body: { form: "login", username: "nobody.at.all", password: "not a password" },
    status: 401,
    says: ["errors.INVALID_CREDENTIALS"],
  },
  {
    what: "sign-up, empty",
    path: "/?tab=register",
    body: { form: "register", username: "", displayName: "", email: "", password: "", avatarInitials: "" },
    status: 422,
    says: ["validation.username", "validation.displayName", "validation.email", "validation.password"],
  },
  {
    what: "sign-up, wrong",
    path: "/?tab=register",
    body: { ...newcomer(), email: "bold", avatarInitials: "ABC" },
    status: 422,
    says: ["validation.email", "validation.avatarInitials"],
  },
  {
    what: "forgotten, empty",
    path: "/?dialog=forgot-password",
    body: { form: "forgot", email: "" },
    status: 422,
    says: ["validation.email"],
  },
  {
    what: "administrators, empty",
    path: "/admin/login",
    body: { username: "", password: "" },
    status: 422,
    says: ["validation.usernameRequired", "validation.passwordRequired"],
  },
  {
    what: "administrators, wrong",
    path: "/admin/login",
    body: { username: testAdministrator.username, password: "not the password" },
    status: 401,
    says: ["errors.ADMIN_CREDENTIALS"],
  },
];
