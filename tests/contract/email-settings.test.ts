import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { supportedLanguages, translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { errorOf, postForm, readFieldValue, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";

/** The mail's desk: its calls, its pages, and who may come near. */

let server: Server;
let admin: Client;
let member: Person;

beforeAll(async () => {
  server = await startServer({ environment: { SMTP_URL: "" } });
  connectDatabase(server.databaseUrl);
  [admin, member] = await Promise.all([signInAdministrator(server), registerPerson(server)]);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const calls = "/api/admin/email-templates";
const pages = [
  paths.adminEmail,
  paths.adminEmailTemplate("welcome"),
  paths.adminEmailEdit("welcome"),
  paths.adminEmailPreview("welcome"),
  paths.adminEmailExport("welcome"),
];

/** All a form of the editor sends when nothing was touched. */
const look = {
  ...{ form: "look", version: "0", layout: "modern", borderRadius: "8", fontSize: "16", lineHeight: "1.6" },
  ...{ primaryColor: "#2563eb", buttonColor: "#2563eb", backgroundColor: "#ffffff" },
  ...{ textColor: "#1f2937", headerColor: "#111827" },
};

async function refusedEverywhere(who: Client, status: number) {
  const replies = [
    await who.get("/api/admin/email-config"),
    await who.get(calls),
    await who.post("/api/admin/test-email", { testEmail: "a@example.mn" }),
    await who.post(`${calls}/preview`, { templateType: "welcome" }),
    await who.post(`${calls}/test`, { templateType: "welcome", testEmail: "a@example.mn" }),
    await who.post(`${calls}/customize`, { templateType: "welcome", customizations: { fontSize: 13 } }),
  ];
  expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => status));
  for (const path of pages) {
    const opened = await who.get(path);
    expect([path, opened.status]).toEqual([path, 303]);
    expect(opened.headers.get("location")).toStartWith(paths.adminLogin);
    if (path === paths.adminEmailExport("welcome")) continue;
    expect((await postForm(who, path, look)).status).toBe(303);
  }
}

test("a visitor, a member and a former administrator are refused by every call and page", async () => {
  const demoted = await registerPerson(server);
  await setRight(demoted.id, true);
  expectStatus(await demoted.get("/api/admin/email-config"), 200);
  await setRight(demoted.id, false);
  await refusedEverywhere(server.client(), 401);
  await refusedEverywhere(member, 403);
  await refusedEverywhere(demoted, 403);
  const kept = await db().execute(sql`SELECT 1 FROM mailer.template_versions`);
  const sent = await db().execute(sql`SELECT 1 FROM mailer.messages WHERE recipient = 'a@example.mn'`);
  expect([kept.length, sent.length]).toEqual([0, 0]);
});

describe("the API", () => {
  test("describes the sending of mail, and lists the four templates", async () => {
    const { body } = expectStatus(await admin.get("/api/admin/email-config"), 200);
    expect(body.config).toMatchObject({ configured: false, addresses: { admin: "admin@midman.example" } });
    const { templates } = expectStatus(await admin.get(calls), 200).body as unknown as {
      templates: Record<string, object>;
    };
    expect(Object.keys(templates)).toEqual([
      ...["accountVerification", "passwordReset", "welcome", "transactionCompletion"],
    ]);
    expect(templates.passwordReset).toMatchObject({
      ...{ name: "Password reset", variables: ["name", "minutes"], version: 0 },
      ...{ defaultParams: { minutes: 60 }, customizations: { layout: "modern", lineHeight: 1.6 } },
    });
  });

  test("sends a test mail", async () => {
    const { body } = expectStatus(
      await admin.post("/api/admin/test-email", { testEmail: "one@example.mn" }),
      200,
    );
    expect(body).toMatchObject({ success: true, message: "Test email sent successfully!" });
    const wrong = expectStatus(await admin.post("/api/admin/test-email", { testEmail: " " }), 422);
    expect(wrong.body.fields.testEmail).toEqual(["Please enter an email address"]);
    const mails = expectStatus(await admin.get("/sandbox/mail.json?to=one%40example.mn"), 200).list;
    expect(mails).toMatchObject([{ subject: "Test email from Midman" }]);
  });

  test("saves, shows and sends a design; invalid values are refused by their field", async () => {
    const customizations = {
      subject: "Hello {{name}}",
      buttonText: "Begin",
      layout: "classic",
      fontSize: 18,
    };
    const saved = expectStatus(
      await admin.post(`${calls}/customize`, { templateType: "welcome", customizations }),
      200,
    );
    expect(saved.body).toMatchObject({ message: "Template customizations saved successfully!", version: 1 });
    const asked = { templateType: "welcome", params: { name: "Naran" }, language: "en" };
    const preview = expectStatus(await admin.post(`${calls}/preview`, asked), 200).body;
    expect(preview).toMatchObject({ success: true, subject: "Hello Naran" });
    expect(String(preview.html)).toContain(">Begin</a>");
    expectStatus(await admin.post(`${calls}/test`, { ...asked, testEmail: "two@example.mn" }), 200);
    const mails = expectStatus(await admin.get("/sandbox/mail.json?to=two%40example.mn"), 200).list;
    expect(mails).toMatchObject([{ subject: "Hello Naran" }]);
    const bad = {
      customCss: "p { position: fixed }",
      logoUrl: "http://x.example/a.png",
      primaryColor: "red",
    };
    const wrong = expectStatus(
      await admin.post(`${calls}/customize`, { templateType: "welcome", customizations: bad }),
      422,
    );
    expect(Object.keys(wrong.body.fields).sort()).toEqual(["customCss", "logoUrl", "primaryColor"]);
    expectStatus(
      await admin.post(`${calls}/customize`, { templateType: "welcome", customizations: { wild: "x" } }),
      422,
    );
    expectStatus(
      await admin.post(`${calls}/customize`, { templateType: "handedOver", customizations: {} }),
      422,
    );
    const late = { templateType: "welcome", customizations: { fontSize: 12 }, version: 0 };
    const overtaken = expectStatus(await admin.post(`${calls}/customize`, late), 409).body;
    expect(overtaken).toMatchObject({ code: "TEMPLATE_CHANGED", current: { version: 1 } });
  });
});

describe("the pages", () => {
  test("describe the sending of mail in both languages, and send a test mail", async () => {
    for (const language of supportedLanguages) {
      const client = () => server.client({ "Accept-Language": language });
      const reader = await signInAdministrator({ client });
      expectStatus(await reader.patch("/api/users/profile", { language }), 200);
      const said = visibleText(expectStatus(await reader.get(paths.adminEmail), 200).text);
      for (const key of ["notConfigured", "server", "template.welcome.about"]) {
        expect(said).toContain(translateText(language, `admin.mail.${key}`));
      }
    }
    await admin.patch("/api/users/profile", { language: "en" });
    const empty = expectStatus(await postForm(admin, paths.adminEmail, { form: "test", testEmail: "" }), 422);
    expect(errorOf(empty, "test-testEmail")).toBe("Please enter an email address");
    const sent = await postForm(admin, paths.adminEmail, { form: "test", testEmail: "three@example.mn" });
    expect(await readToastAfter(admin, sent)).toEqual([paths.adminEmail, "Test email sent successfully!"]);
  });

  test("fill in a preset without saving it, save, and tell the second of two editors", async () => {
    const edit = paths.adminEmailEdit("passwordReset");
    const filled = expectStatus(
      await postForm(admin, edit, { ...look, preset: "green", brandName: "Ours" }),
      200,
    );
    expect([readFieldValue(filled, "look-primaryColor"), readFieldValue(filled, "look-brandName")]).toEqual([
      "#15803d",
      "Ours",
    ]);
    const saved = await postForm(admin, edit, { ...look, lineHeight: "1.45", brandName: "Ours" });
    expect(await readToastAfter(admin, saved)).toEqual([
      paths.adminEmailTemplate("passwordReset"),
      "Template customizations saved successfully!",
    ]);
    const second = expectStatus(await postForm(admin, edit, { ...look, fontSize: "19" }), 409);
    expect(errorOf(second, "look")).toContain("(version 1)");
    expect(readFieldValue(second, "look-fontSize")).toBe("19");
    expect(second.text).toContain('name="version" value="1"');
    const exported = expectStatus(await admin.get(paths.adminEmailExport("passwordReset")), 200);
    expect(exported.headers.get("content-disposition")).toContain("midman-email-passwordReset.json");
    expect(exported.body).toMatchObject({
      version: 1,
      customizations: { brandName: "Ours", lineHeight: 1.45 },
    });
    const wrong = expectStatus(
      await postForm(admin, edit, { ...look, version: "1", subjectMn: "{{url}}" }),
      422,
    );
    expect(errorOf(wrong, "look-subjectMn")).toBe(translateText("en", "validation.variable"));
  });

  test("show a mail in a sandbox, saved or not, framed only by Midman's pages", async () => {
    const path = paths.adminEmailPreview("accountVerification");
    const visitorsFirst = await signInAdministrator(server);
    const replies = [
      expectStatus(await visitorsFirst.get(`${path}?show=mn`), 200),
      expectStatus(
        await postForm(admin, path, { ...look, show: "en", primaryColor: "#15803d", buttonTextEn: "Yes" }),
        200,
      ),
      expectStatus(await postForm(admin, path, { ...look, customCss: "<script>" }), 422),
      expectStatus(await admin.get(`${path}?show=text`), 200),
    ];
    for (const { headers } of replies) {
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toStartWith("sandbox allow-popups");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'self'");
      expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
    }
    expect(replies[0]?.text).toContain('<html lang="mn">');
    expect(replies[1]?.text).toContain(">Yes</a>");
    expect(replies[1]?.text).toContain("#15803d");
    expect(replies[2]?.headers.get("content-type")).toStartWith("text/plain");
    expect(expectStatus(await admin.get(path), 200).text).not.toContain(">Yes</a>");
    expect((await admin.get(paths.adminEmailTemplate("handedOver"))).status).toBe(404);
    expect((await admin.get(paths.adminEmailPreview("constructor"))).status).toBe(404);
  });
});

test("saving a design asks for a fresh login, keeps the input and says how to continue", async () => {
  await db().execute(
    sql`UPDATE identity.sessions SET authenticated_at = authenticated_at - interval '11 minutes'`,
  );
  const edit = paths.adminEmailEdit("accountVerification");
  expect(visibleText((await admin.get(edit)).text)).toContain(translateText("en", "admin.mail.stale"));
  const answer = await postForm(admin, edit, { ...look, brandName: "Typed at length" });
  expect([answer.status, errorOf(answer, "look")]).toEqual([
    403,
    translateText("en", "errors.REAUTH_REQUIRED"),
  ]);
  expect(readFieldValue(answer, "look-brandName")).toBe("Typed at length");
  const said = { templateType: "accountVerification", customizations: { fontSize: 13 } };
  expect((await admin.post(`${calls}/customize`, said)).body.code).toBe("REAUTH_REQUIRED");
  admin = await signInAdministrator(server);
  expect(visibleText((await admin.get(edit)).text)).not.toContain(translateText("en", "admin.mail.stale"));
  expectStatus(await postForm(admin, edit, { ...look, brandName: "Typed at length" }), 303);
});

test("one template saved by two at once is the first one's; the other keeps their input and is told", async () => {
  const changed = translateText("en", "errors.TEMPLATE_CHANGED", { version: 1 });
  const edit = paths.adminEmailEdit("transactionCompletion");
  const second = await registerPerson(server);
  await setRight(second.id, true);
  const both = (act: (who: Client, n: 1 | 2) => Promise<Reply>) =>
    Promise.all([act(admin, 1), act(second, 2)]);
  const saved = await both((who, n) => postForm(who, edit, { ...look, brandName: `Brand ${n}` }));
  expect(saved.map(({ status }) => status).sort()).toEqual([303, 409]);
  const late = saved.find(({ status }) => status === 409);
  if (late === undefined) throw new Error("nobody was late");
  expect(errorOf(late, "look")).toBe(changed);
  expect(late.text).toContain(`value="Brand ${saved.indexOf(late) + 1}"`);
  const called = await both((who, n) =>
    who.post("/api/admin/email-templates/customize", {
      ...{ templateType: "transactionCompletion", customizations: { fontSize: 12 + n }, version: 1 },
    }),
  );
  expect(called.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(called.flatMap(({ body }) => body?.code ?? [])).toEqual(["TEMPLATE_CHANGED"]);
});
