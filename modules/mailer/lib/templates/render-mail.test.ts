import { afterAll, expect, test } from "bun:test";
import { z } from "zod";
import { config, overrideConfig } from "#config";
import { dayInWords } from "#format";
import { supportedLanguages, translateText } from "#locales";
import { checkNames } from "./compile-templates.ts";
import { renderMail } from "./render-mail.ts";
import { templateSamples } from "./template-samples.ts";
import { type TemplateName, templateNames, templateSchemas } from "./templates.ts";

const { PUBLIC_URL } = config();
overrideConfig({ PUBLIC_URL: "https://midman.example" });
afterAll(() => overrideConfig({ PUBLIC_URL }));

type Data = Record<string, string | number>;

/** The sample, with every other value of each enum, and with each optional value empty. */
function variants(template: TemplateName): Data[] {
  const sample: Data = templateSamples[template];
  const changed = Object.entries(templateSchemas[template].shape).flatMap(([field, schema]): Data[] => {
    if (schema instanceof z.ZodEnum) return schema.options.map((option) => ({ ...sample, [field]: option }));
    const zero = field === "amount" && template === "transactionCompletion" ? ["amount"] : ["fee", "refund"];
    if (zero.includes(field)) return [{ ...sample, [field]: 0 }];
    const empty = ["description", "destination", "reference", "detail", "account"];
    if (template === "supportRequest") empty.push("code", "url");
    return empty.includes(field) ? [{ ...sample, [field]: "" }] : [];
  });
  return [sample, ...changed];
}

for (const template of templateNames) {
  for (const language of supportedLanguages) {
    test(`${template} has every text and value in ${language}`, () => {
      for (const data of variants(template)) {
        const { subject, html, text } = renderMail(template, language, data);
        expect(html).toStartWith(`<!doctype html>\n<html lang="${language}">`);
        for (const part of [subject, html, text]) {
          expect(part.length).toBeGreaterThan(5);
          expect(part).not.toMatch(/\{\{|\}\}|undefined|null|NaN|\[object|\bmail\.\w|, ,|\(\)/);
        }
        const link: string[] = data.url === "" ? [] : [`https://midman.example${data.url}`];
        expect([...text.matchAll(/https:\S+/g)].map(([found]) => found)).toEqual(link);
        expect(text.split("\n").filter((line) => line.startsWith("- ") && !/: \S/.test(line))).toEqual([]);
        expect(text).not.toMatch(/<[a-z]|&[a-z#0-9]+;|\n{3}/);
        expect(links(html)).toEqual(link);
        expect(/\p{Script=Cyrillic}/u.test(strip(html, data))).toBe(language === "mn");
      }
    });
  }
}

test("a restriction's mail names its last day; a lifted one says what works again, without the reason", () => {
  // The first moment of 2 March in Ulaanbaatar, so the last day is 1 March.
  const data = { ...templateSamples.accountRestricted, deadline: "2026-03-01T16:00:00.000Z" };
  for (const language of supportedLanguages) {
    const say = (key: string) => translateText(language, `mail.accountRestricted.${key}`);
    const { text: placed } = renderMail("accountRestricted", language, data);
    expect(placed).toContain(`${say("until")}: ${dayInWords("2026-03-01", language)}\n`);
    expect(placed).not.toContain(dayInWords("2026-03-02", language));
    expect(placed).toContain(say("cause.fraud"));
    const lifted = renderMail("accountRestricted", language, { ...data, event: "lifted", deadline: "" });
    for (const body of [lifted.text, lifted.html]) {
      expect(body).toContain(say("body.lifted"));
      expect(body).not.toContain(say("cause.fraud"));
    }
  }
});

test("a missing value throws instead of leaving a gap", () => {
  for (const template of templateNames) {
    for (const field of Object.keys(templateSamples[template])) {
      const data: Data = { ...templateSamples[template] };
      delete data[field];
      expect(() => templateSchemas[template].parse(data)).toThrow();
      expect(() => renderMail(template, "en", data), `${template} without ${field}`).toThrow();
    }
  }
});

test("a template with a value that its data do not have is refused at the start", () => {
  const check = (source: string) => () => checkNames("welcome", source, ["line"]);
  expect(check("{{> line text=name}}{{#if url}}{{t name}}{{/if}}")).not.toThrow();
  for (const source of [
    "{{nome}}",
    "{{> line text=nome}}",
    "{{t nome}}",
    "{{#if nome}}x{{/if}}",
    "{{> lime}}",
  ]) {
    expect(check(source), source).toThrow("emails/welcome.hbs");
  }
});

test("every value is escaped in the HTML and unchanged in the text", () => {
  const name = `<img src=x onerror="alert('1')">{{constructor}} & co`;
  const { html, text } = renderMail("handedOver", "en", {
    ...templateSamples.handedOver,
    name,
    other: name,
    code: name,
  });
  expect(html).not.toContain("<img");
  expect(html).toContain(
    "&lt;img src&#x3D;x onerror&#x3D;&quot;alert(&#x27;1&#x27;)&quot;&gt;{{constructor}} &amp; co",
  );
  expect(text).toContain(`Hello ${name},`);
});

test("a late handover without a running deadline is announced without one", () => {
  const late = { ...templateSamples.handedOver, deadline: "" };
  for (const language of ["en", "mn"] as const) {
    const { subject, text } = renderMail("handedOver", language, late);
    expect(subject).toContain(late.code);
    expect(text).not.toMatch(/\d\d:\d\d/);
    expect(renderMail("handedOver", language, templateSamples.handedOver).text).toMatch(/\d\d:\d\d/);
  }
});

test("a name cannot split the subject into two headers or reverse the text direction", () => {
  const name = "Bat\r\nBcc: all@example.com\u202etxt";
  const data = templateSchemas.roomJoined.parse({ ...templateSamples.roomJoined, other: name });
  expect(renderMail("roomJoined", "en", data).subject).toBe("Bat Bcc: all@example.com txt joined your room");
});

const elsewhere = [
  "//evil.example/x",
  "/\\evil.example",
  "https://evil.example",
  "https://midman.example.evil.example",
];
for (const url of [...elsewhere, "javascript:alert(1)", "https://x@midman.example/", "", "chat/1"]) {
  test(`a link to ${JSON.stringify(url)} is refused`, () => {
    expect(() => templateSchemas.welcome.parse({ ...templateSamples.welcome, url })).toThrow();
    expect(() => renderMail("welcome", "en", { ...templateSamples.welcome, url })).toThrow();
  });
}

test("a person's text cannot look like Midman's lines, and the mail marks it as theirs", () => {
  const message = "- Гүйлгээний код: MM-00000000\n\nhttps://evil.example <b>x</b>";
  const { html, text } = renderMail("supportRequest", "mn", { ...templateSamples.supportRequest, message });
  expect(text).toContain("> - Гүйлгээний код: MM-00000000\n> \n> https://evil.example <b>x</b>\n");
  expect(text).not.toMatch(/^- Гүйлгээний код: MM-00000000/m);
  expect(html).toContain("https://evil.example &lt;b&gt;x&lt;/b&gt;");
  expect(links(html)).toEqual(["https://midman.example/admin/transactions/12"]);
  expect(
    templateSchemas.supportRequest.parse({ ...templateSamples.supportRequest, message: "a\r\nb\u0000\u202e" })
      .message,
  ).toBe("a\nb");
});

test("amounts, times and links are written as people read them", () => {
  const { text, subject } = renderMail("paymentRequested", "mn", templateSamples.paymentRequested);
  expect(subject).toBe("Төлбөрийн хүсэлт ирлээ: 162,500 ₮, Худалдагч");
  expect(text).toContain("- Үйлчилгээний шимтгэл: 12,500 ₮\n");
  expect(text).toContain(
    "- Төлөх эцсийн хугацаа: 2026\u00a0оны\u00a03\u2011р\u00a0сарын\u00a01, 18:30 (Улаанбаатарын цагаар)\n",
  );
  expect(
    renderMail("paymentRequested", "en", { ...templateSamples.paymentRequested, fee: 0 }).text,
  ).not.toContain("Service fee");
});

function links(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => (href ?? "").replaceAll("&#x3D;", "="));
}

/** The HTML without the values it was given, because they may be in any script. */
function strip(html: string, data: Data): string {
  return Object.values(data).reduce<string>((rest, value) => rest.replaceAll(String(value), ""), html);
}
