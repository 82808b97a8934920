import { describe, expect, test } from "bun:test";
import { readCustomCss, rewriteRules } from "./custom-css.ts";

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
    "@font-face { font-family: x; src: url(x) }",
    "@media screen { h1 { color: red } }",
    "@charset 'utf-8'; h1 { color: red }",
    "h1 { color: red /* ; } body { color: blue */ }",
    "h1 { c\\6flor: red }",
    "\\62 ody { color: red }",
    "h1 { background-color: \\75rl(x) }",
    "h1 { color: red\\",
    "h1 { & a { color: red } }",
    "h1 { color: red } <!-- p { color: red } -->",
    "h1 { background-color: url(//evil.example/x) }",
    "h1 { *color: red }",
    "h1 { color: red\u007f }",
    "h1 { color: red\u0085 }",
  ],
  "validation.css.shape": [
    "h1",
    "color: red",
    "h1 { color: red",
    "} h1 { color: red }",
    "h1 { a { color: red } }",
    "h1 { color: red; a { color: red } }",
    "h1 { { color: red } }",
    "h1 { color: red } }",
    "h1 { color: red } p {",
    "h1 { color: red } p { color: blue",
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
    "p { font-family: georgia,, serif }",
    "p { font-family: georgia, }",
    "p { color: rgb(,1, 2, 3) }",
    "p { --x: red }",
    "p { --x: { color: red } ; color: red }",
    "p { color: env(x) }",
    "p { color: #ff }",
    "p { color: #ff00zz }",
    "p { color: red !ie }",
    "p { padding: +3px }",
    "p { padding: 1e3px }",
    "p { padding: 3vw }",
    "p { padding: calc(1px - 50px) }",
    "p { color: rgb(rgb(1, 2, 3), 2, 3) }",
    "p { color: rgb(var(--x)) }",
    "p { color: r\ud800d }",
    "p { color: re\ufffdd }",
    "p { color: réd }",
    "p { color: red; -moz-binding: none }",
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

  const allRefused = Object.values(refused).flat();
  test.each(allRefused)("is refused by its syntax tree alone: %s", (sheet) => {
    expect(rewriteRules(sheet).ok).toBe(false);
  });

  test("is rewritten from its syntax tree, whatever is between its parts", () => {
    expect(readCustomCss("p,h1{COLOR:RGB(1,2,3);;PADDING:1PX 2em;font-family:georgia  ,serif}")).toEqual({
      ok: true,
      css: ".mail p, .mail h1 { color: rgb(1, 2, 3) !important; padding: 1px 2em !important; font-family: georgia, serif !important }",
    });
    expect(readCustomCss("p{color:hsla(120 50% 50% .5)}p{}")).toEqual({
      ok: true,
      css: ".mail p { color: hsla(120 50% 50% .5) !important }\n.mail p {  }",
    });
  });

  test("that was accepted is accepted again, because it is read again before each mail", () => {
    const sheet = "h1, .mail-card p { color: rgba(1, 2, 3, 0.5); padding: 3px 4px !important } a { }";
    const first = readCustomCss(sheet);
    const body = (css: string) => css.replaceAll(".mail ", "");
    if (!first.ok) throw new Error(first.fault);
    expect(readCustomCss(body(first.css))).toEqual(first);
  });

  test("is rewritten to apply inside the mail only and above the mail's own styles", () => {
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

  test("that is long and broken is refused immediately, by its characters and by its syntax tree", () => {
    const pieces =
      "{ } ( [ : ! , a{ a, .mail-card| rgb( :not( # 1 - -- /* */ \\ ' \" <!-- url( u+ @media{ p{color:red}x p{color:a"
        .split(" ")
        .concat("\ud800", ".mail-card ");
    for (const piece of pieces) {
      for (const [before, after] of [
        ["", ""],
        ["p { color: ", " }"],
        ["p { ", " }"],
      ]) {
        const sheet = before + piece.repeat(100_000 / piece.length) + after;
        const started = performance.now();
        expect([piece, readCustomCss(sheet).ok, rewriteRules(sheet).ok]).toEqual([piece, false, false]);
        expect(performance.now() - started).toBeLessThan(1_000);
      }
    }
  });
});
