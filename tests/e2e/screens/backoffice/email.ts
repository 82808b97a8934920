import type { Screen } from "../screen.ts";

/** Saves a mail's look with mistakes in it; the button that saves comes first, so that Enter means it. */
const saveWrongLook: Screen["act"] = async (page) => {
  const form = page.locator("form#look");
  await form.locator('[name="subjectMn"]').fill("{{url}}");
  await form.locator('[name="brandName"]').fill("{{name}}");
  await Promise.all([page.waitForEvent("load"), form.locator("button").first().click()]);
};

/** The back office: the look of the mails. */
export const emailScreens: Screen[] = [
  { name: "admin-email", route: "admin/email", at: "/admin/email", as: "admin" },
  { name: "admin-email-template", route: "admin/email/:template", at: "/admin/email/welcome", as: "admin" },
  {
    name: "admin-email-edit",
    route: "admin/email/:template",
    at: "/admin/email/passwordReset?edit",
    as: "admin",
  },
  {
    name: "admin-email-wrong",
    route: "admin/email/:template",
    at: "/admin/email/passwordReset?edit",
    as: "admin",
    status: 422,
    act: saveWrongLook,
  },
];
