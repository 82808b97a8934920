import { expect, test } from "bun:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MessageBody } from "./message-body.tsx";

const words = {
  copy: "Copy",
  copied: "Copied",
  origin: "https://midman.mn",
  away: "/away?room=5&to=",
};
const drawn = (text: string) => renderToStaticMarkup(createElement(MessageBody, { text, words }));

test("an outside link leads to Midman's page about it, in a window without a reference to this one", () => {
  const html = drawn("https://evil.example/?a=1&b=2");
  expect(html).toContain('href="/away?room=5&amp;to=https%3A%2F%2Fevil.example%2F%3Fa%3D1%26b%3D2"');
  expect(html).toContain('target="_blank" rel="noopener noreferrer nofollow"');
  expect(html).toContain(">https://evil.example/?a=1&amp;b=2</a>");
});

test("only Midman's exact origin is linked directly", () => {
  expect(drawn("https://midman.mn/verify/MM-7KQ2WX9A")).toContain(
    'href="https://midman.mn/verify/MM-7KQ2WX9A"',
  );
  for (const other of [
    "http://midman.mn/",
    "https://midman.mn:8443/",
    "https://midman.mn.evil.example/",
    "https://midmаn.mn/",
    "https://a@midman.mn/",
  ])
    expect(drawn(other)).toContain(`href="/away?room=5&amp;to=${encodeURIComponent(other)}"`);
});

test("a disguised host is followed by its real form", () => {
  expect(drawn("https://midmаn.mn/")).toContain(">xn--midmn-7ve.mn</bdi>");
});

test("without scripts, what could be copied is plain text, and markup is always shown as text", () => {
  expect(drawn("5012345678")).toBe('<span class="inline-block max-w-full">5012345678</span>');
  expect(drawn("<b>x</b>")).toBe("&lt;b&gt;x&lt;/b&gt;");
});
