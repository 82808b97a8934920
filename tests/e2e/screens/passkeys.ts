import type { Screen } from "./screen.ts";

/** Shows what asks for a passkey, as where the browser can give one: at this server's address none can. */
const withPasskeys: Screen["act"] = async (page) => {
  await page.evaluate(() => {
    for (const form of document.querySelectorAll<HTMLElement>("[data-passkey]")) form.hidden = false;
    for (const note of document.querySelectorAll<HTMLElement>("[data-passkey-unsupported]"))
      note.hidden = true;
  });
};

/** What asks for a passkey, or keeps them. */
export const passkeyScreens: Screen[] = [
  {
    name: "settings-passkey-rename",
    route: "settings",
    at: "/settings?rename=1#passkeys",
    as: "careful",
  },
  {
    name: "settings-passkey-remove",
    route: "settings",
    at: "/settings?remove=2#passkeys",
    as: "careful",
  },
  {
    name: "passkey-new",
    route: "settings/passkeys/new",
    at: "/settings/passkeys/new",
    as: "newcomer",
    act: withPasskeys,
  },
  {
    name: "passkey-unsupported",
    route: "settings/passkeys/new",
    at: "/settings/passkeys/new",
    as: "newcomer",
  },
  {
    name: "settings-confirm-passkey",
    route: "settings/confirm",
    at: "/settings/confirm",
    as: "careful",
    act: withPasskeys,
  },
  { name: "landing-passkey", route: "/", at: "/", act: withPasskeys },
  { name: "admin-login-passkey", route: "admin/login", at: "/admin/login", act: withPasskeys },
];
