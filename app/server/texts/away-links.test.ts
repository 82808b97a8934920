import { expect, test } from "bun:test";
import { destinationOf } from "./away-links.ts";

const doubts = (to: string) => destinationOf(to)?.doubts;

test("an ordinary address is shown whole, without warnings", () => {
  expect(destinationOf("https://steamcommunity.com/id/bold?x=1#y")).toEqual({
    address: "https://steamcommunity.com/id/bold?x=1#y",
    host: "steamcommunity.com",
    readAs: null,
    doubts: [],
  });
  for (const honest of ["https://www.unegui.mn/", "https://mail.google.com", "https://бичиг.мон/ном"])
    expect([honest, doubts(honest)]).toEqual([honest, []]);
});

test("an address that is not http is rejected", () => {
  const bad = [
    null,
    "",
    "evil.example",
    "//evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "mailto:a@b.mn",
  ];
  const broken = [
    "https://",
    `https://${"a.".repeat(3_900)}mn`,
    "https://%",
    "ftp://a.mn",
    " https://a.mn",
    `https://a.mn/${"x".repeat(8_000)}`,
  ];
  for (const to of [...bad, ...broken]) expect([to, destinationOf(to)]).toEqual([to, undefined]);
});

test("a host is shown in ASCII, and as it was meant to be read", () => {
  expect(destinationOf("https://midmаn.mn:8443/")).toMatchObject({
    host: "xn--midmn-7ve.mn:8443",
    readAs: "midmаn.mn",
    doubts: ["midman", "letters", "port"],
  });
  expect(destinationOf("https://xn--80ak6aa92e.com")).toMatchObject({
    readAs: "аррӏе.com",
    doubts: ["letters"],
  });
});

test("imitations of Midman are reported: by letters, digits, typing errors and sound", () => {
  const dressed =
    "midman.example midman-mn.com pay.midman.mn.evil.example rnidman.mn m1dman.mn mldman.net midmen.mn midmn.mn imdman.mn мидман.мон mid-man.org";
  for (const host of dressed.split(" "))
    expect([host, doubts(`https://${host}/`)]).toEqual([host, expect.arrayContaining(["midman"])]);
});

test("imitations of banks and payment services are reported too", () => {
  const dressed =
    "khanbank.example khan-bank.login.example g0lomtbank.com qpay.example q-pay-mn.com xacbnak.mn хаанбанк.мон tdbm.example мбанк.мон";
  for (const host of dressed.split(" "))
    expect([host, doubts(`https://${host}/`)]).toEqual([host, expect.arrayContaining(["bank"])]);
  expect(doubts("https://combank.example/")).toEqual([]);
});

test("user names before the host, bare IP addresses, plain http and unusual ports are reported", () => {
  expect(doubts("https://midman.mn@evil.example/")).toEqual(["name"]);
  expect(doubts("http://2130706433:8080/")).toEqual(["number", "open", "port"]);
  expect(doubts("https://[::1]/")).toEqual(["number"]);
  expect(doubts("https://a.example:443/")).toEqual([]);
});
