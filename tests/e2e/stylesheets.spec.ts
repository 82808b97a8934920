import { expect } from "@playwright/test";
import { screens } from "./screens.ts";
import { test } from "./viewing.ts";

test("each page's stylesheet has every class of its parts that any of the three has", async ({ world }) => {
  const sheets = new Map<string, Set<string>>();
  const lacking: string[] = [];
  const used: Array<{ name: string; classes: string[]; has: Set<string> }> = [];
  for (const { name, at, as, act } of screens) {
    if (act) continue;
    const headers: Record<string, string> = as ? { cookie: world.people[as].cookies() } : {};
    const path = typeof at === "string" ? at : at(world);
    const html = await (await fetch(world.server.url + path, { headers })).text();
    // A first visit brings the styles along.
    const styles = /<style>(.*?)<\/style>/s.exec(html)?.[1];
    if (styles === undefined) continue;
    if (!sheets.has(styles)) sheets.set(styles, classesOf(styles));
    const classes = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, of = ""]) => of.split(" "));
    used.push({ name, classes: classes.map(plain), has: sheets.get(styles) ?? new Set() });
  }
  expect(sheets.size).toBe(3);
  expect(used.length).toBeGreaterThan(60);
  const known = new Set([...sheets.values()].flatMap((one) => [...one]));
  for (const { name, classes, has } of used) {
    lacking.push(...classes.filter((one) => known.has(one) && !has.has(one)).map((one) => `${name}: ${one}`));
  }
  expect([...new Set(lacking)]).toEqual([]);
});

/** The classes that a stylesheet's selectors name. */
function classesOf(styles: string): Set<string> {
  return new Set(
    [...styles.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = ""]) => name.replaceAll(/\\(.)/g, "$1")),
  );
}

/** A class as React has written it into an attribute. */
function plain(attribute: string): string {
  return attribute
    .replaceAll("&amp;", "&")
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&#x27;", "'");
}
