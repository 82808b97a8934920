import { describe, expect, test } from "bun:test";
import { readCustomCss } from "./custom-css.ts";

const refused: Record<string, string[]> = {
  "validation.css.sign": [
    "@import url(https://evil.example/x.css);",
    "h1 { background-color: red } </style><script>alert(1)</script>",
    "h1 { color: r\\65 d }",
    "/* x */ h1 { color: red }",
    'a[href="x"] { color: red }',
    "* { color: red }",
    "h1 > a { color: red }",
    "h1 { color: red\u0000 }",
    "p { font-family: 'x' }",
  ],
  "validation.css.shape": [
    "h1",
    "color: red",
    "h1 { color: red",
    "} h1 { color: red }",
    "h1 { a { color: red } }",
  ],
  "validation.css.selector": [
    "body { color: red }",
    "html, h1 { color: red }",
    ".mail { color: red }",
    ":root { color: red }",
    "a:hover { color: red }",
    "#id { color: red }",
    ".other { color: red }",
    " { color: red }",
  ],
  "validation.css.declaration": [
    "h1 { background-color: url(data:x) }",
    "h1 { background: red }",
    "h1 { background-image: none }",
    "h1 { width: expression(alert(1)) }",
    "h1 { color: expression(alert(1)) }",
    "h1 { behavior: none }",
    "p { position: fixed }",
    "p { display: none }",
    "p { margin-top: -50px }",
    "p { color: var(--x) }",
    "p { color: rgb(1, 2, 3) url(x) }",
    "p { color }",
    "p { color: }",
  ],
};

describe("a style sheet of an administrator", () => {
  for (const [fault, sheets] of Object.entries(refused)) {
    for (const sheet of sheets) {
      test(`is refused (${fault}): ${sheet}`, () => {
        expect(readCustomCss(sheet)).toEqual({ ok: false, fault: fault as never });
      });
    }
  }

  test("is written anew, inside the mail alone and above what a mail says itself", () => {
    const sheet =
      "H1, .mail-card p {\n color: #FF0000 ; padding: 3px  4px;\n}\na.mail-button{letter-spacing:1.5px !important}";
    expect(readCustomCss(sheet)).toEqual({
      ok: true,
      css: [
        ".mail h1, .mail .mail-card p { color: #ff0000 !important; padding: 3px 4px !important }",
        ".mail a.mail-button { letter-spacing: 1.5px !important }",
      ].join("\n"),
    });
    expect(readCustomCss("p { color: rgba(1, 2, 3, 0.5); font-family: georgia, serif }")).toMatchObject({
      ok: true,
    });
    expect(readCustomCss("  \n ")).toEqual({ ok: true, css: "" });
  });

  test("that is long and broken is refused at once", () => {
    const started = performance.now();
    for (const sheet of [
      "p { color: a".repeat(300),
      `p { color: ${"a ".repeat(1500)}( }`,
      `${"a ".repeat(2000)}`,
    ]) {
      expect(readCustomCss(sheet).ok).toBe(false);
    }
    expect(performance.now() - started).toBeLessThan(500);
  });
});
