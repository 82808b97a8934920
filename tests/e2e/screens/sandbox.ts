import type { Screen } from "./screen.ts";

/** Leaves the mails the world was made with. */
const firstMails: Screen["act"] = (page, { mails }) =>
  page.evaluate((known) => {
    const shown = [...document.querySelectorAll('main li:has(a[href^="/sandbox/mail/"])')];
    const number = (item: Element) =>
      Number(item.querySelector("a")?.getAttribute("href")?.split("/").at(-1));
    const kept = shown.filter((item) => known.includes(number(item))).slice(-6);
    for (const item of shown) if (!kept.includes(item)) item.remove();
  }, mails);

/** The sandbox's mails and its bank. */
export const sandboxScreens: Screen[] = [
  { name: "sandbox-mail", route: "sandbox/mail", at: "/sandbox/mail", act: firstMails },
  {
    name: "sandbox-mail-item",
    route: "sandbox/mail/:id",
    at: ({ mails }) => `/sandbox/mail/${mails.at(-1)}`,
  },
  {
    name: "sandbox-pay",
    route: "sandbox/qpay/pay/:invoiceId",
    at: ({ rooms }) => `/sandbox/qpay/pay/${rooms.waiting.invoice}`,
  },
];
