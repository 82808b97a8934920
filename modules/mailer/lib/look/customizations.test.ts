import { describe, expect, test } from "bun:test";
import { renderMail } from "../templates/render-mail.ts";
import { templateSamples } from "../templates/template-samples.ts";
import { isLight, measureContrast } from "./colors.ts";
import {
  type Customizations,
  colorPresets,
  customizationsOf,
  defaultCustomizations,
  layoutNames,
  strictCustomizationsOf,
} from "./customizations.ts";
import { lookOf } from "./mail-look.ts";

const read = (given: object) => customizationsOf("passwordReset").safeParse(given);
const messages = (given: object) =>
  Object.fromEntries(read(given).error?.issues.map(({ path, message }) => [String(path[0]), message]) ?? []);

describe("customisations", () => {
  test("have the documented defaults", () => {
    expect(defaultCustomizations).toEqual({
      ...{ layout: "modern", subjectMn: "", subjectEn: "", brandName: "", logoUrl: "", customCss: "" },
      ...{ borderRadius: 8, fontSize: 16, lineHeight: 1.6 },
      ...{ primaryColor: "#2563eb", buttonColor: "#2563eb", backgroundColor: "#ffffff" },
      ...{ textColor: "#1f2937", headerColor: "#111827" },
      ...{ buttonTextMn: "", buttonTextEn: "", footerTextMn: "", footerTextEn: "" },
    });
  });

  test("accept the values of a form and of an API call", () => {
    const said = {
      fontSize: "12",
      borderRadius: 20,
      lineHeight: "1.45",
      primaryColor: "#ABCDEF",
      subjectEn: " Hi {{name}} ",
    };
    const want = {
      fontSize: 12,
      borderRadius: 20,
      lineHeight: 1.45,
      primaryColor: "#abcdef",
      subjectEn: "Hi {{name}}",
    };
    expect(read({ ...said, logoUrl: "https://cdn.example/logo.png" }).data).toMatchObject(want);
  });

  test("report errors beside each field", () => {
    expect(
      messages({
        ...{ layout: "wild", borderRadius: 21, fontSize: 11, lineHeight: "3", primaryColor: "red" },
        ...{ subjectMn: "{{url}}", subjectEn: "x".repeat(151), brandName: "{{name}}", footerTextEn: "a\nb" },
        ...{
          logoUrl: "http://x.example/a.png",
          customCss: "body { color: red }",
          buttonTextEn: "{{ name }}",
        },
      }),
    ).toEqual({
      ...{
        layout: "validation.invalid",
        borderRadius: "validation.range?min=0&max=20",
        fontSize: "validation.range?min=12&max=20",
      },
      ...{
        lineHeight: "validation.range?min=1.2&max=2",
        primaryColor: "validation.colour",
        subjectMn: "validation.variable",
      },
      ...{
        subjectEn: "validation.tooLong",
        brandName: "validation.variable",
        buttonTextEn: "validation.variable",
      },
      ...{
        footerTextEn: "validation.characters",
        logoUrl: "validation.logo",
        customCss: "validation.css.selector",
      },
    });
    for (const logoUrl of [
      "javascript:alert(1)",
      "https://a:b@x.example/",
      'https://x.example/"onload=1',
      "data:image/png,",
    ]) {
      expect(messages({ logoUrl })).toEqual({ logoUrl: "validation.logo" });
    }
    expect(messages({ fontSize: 12.5 })).toEqual({ fontSize: "validation.range?min=12&max=20" });
    expect(messages({ textColor: "#eeeeee" })).toEqual({ textColor: "validation.contrast" });
    expect(strictCustomizationsOf("welcome").safeParse({ wild: "x" }).success).toBe(false);
  });
});

test("every preset in every layout is legible, in light and dark mode", () => {
  for (const scheme of Object.values(colorPresets)) {
    for (const layout of layoutNames) {
      const given: Customizations = customizationsOf("welcome").parse({
        ...defaultCustomizations,
        ...scheme,
        layout,
      });
      const look = lookOf(given);
      const pairs: Array<[string, string]> = [
        ...([
          [look.ink, look.card],
          [look.heading, look.card],
          [look.brandInk, look.card],
        ] as const),
        ...([
          [look.quiet, look.card],
          [look.onButton, look.button],
          [look.onPrimary, look.primary],
        ] as const),
      ].map(([letters, ground]) => [letters, ground]);
      for (const [letters, ground] of pairs)
        expect(measureContrast(letters, ground)).toBeGreaterThanOrEqual(4.5);
      expect(look.scheme).toBe(isLight(look.card) ? "light dark" : "dark");
      expect(look.styles.includes("prefers-color-scheme: dark")).toBe(isLight(look.card));
    }
  }
});

test("custom texts replace Midman's in their language, escaped, in the HTML and the plain text", () => {
  const dress: Customizations = {
    ...defaultCustomizations,
    ...{ subjectEn: "Hi {{name}}", buttonTextEn: "Go <on>", footerTextEn: "By {{name}}", brandName: "A & B" },
    ...{
      logoUrl: "https://cdn.example/a.png?x=1&y=2",
      customCss: "h1 { color: red }",
      layout: "classic" as const,
    },
  };
  const { subject, html, text } = renderMail("welcome", "en", templateSamples.welcome, dress);
  expect(subject).toBe(`Hi ${templateSamples.welcome.name}`);
  expect(text).toContain("Go <on>:\n");
  expect(text).toContain(`--\nBy ${templateSamples.welcome.name}\n`);
  expect(html).toContain("Go &lt;on&gt;");
  expect(html).toContain('alt="A &amp; B"');
  expect(html).toContain('src="https://cdn.example/a.png?x&#x3D;1&amp;y&#x3D;2"');
  expect(html).toContain(".mail h1 { color: red !important }");
  const mongolian = renderMail("welcome", "mn", templateSamples.welcome, dress);
  expect(mongolian.subject).toBe("Midman-д тавтай морилно уу");
  expect(mongolian.html).not.toContain("Go &lt;on&gt;");
});

test("a customised button replaces the one that names the page, whichever page the link opens", () => {
  const dress = { ...defaultCustomizations, buttonTextEn: "Have a look" };
  for (const url of ["/chat/12", "/transactions/12"]) {
    const data = { ...templateSamples.transactionCompletion, url };
    expect(renderMail("transactionCompletion", "en", data, dress).text).toContain("Have a look:\n");
    expect(renderMail("transactionCompletion", "mn", data, dress).text).not.toContain("Have a look");
  }
});

test("each layout is a separate mail, made of tables with inline styles", () => {
  const mails = layoutNames.map(
    (layout) =>
      renderMail("transactionCompletion", "mn", templateSamples.transactionCompletion, {
        ...defaultCustomizations,
        layout,
      }).html,
  );
  expect(new Set(mails).size).toBe(layoutNames.length);
  for (const html of mails) {
    expect(html).toContain('<table class="mail-card" role="presentation"');
    expect(html).toContain("150,000 ₮");
    expect(html).not.toMatch(/<div|<script|<link|@import|url\(/);
  }
});
