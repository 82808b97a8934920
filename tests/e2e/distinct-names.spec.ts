import { expect, type Page } from "@playwright/test";
import { screens } from "./screens.ts";
import { test, viewer } from "./viewing.ts";

/** What is pressed on a page can be told apart by its name alone, as a list of a screen reader's buttons and links has it. */

const audiences: Array<[who: string, isTheirs: (as: string) => boolean, least: number]> = [
  ["a visitor", (as) => as === "visitor", 10],
  ["a member", (as) => as !== "visitor" && as !== "admin", 50],
  ["an administrator", (as) => as === "admin", 40],
];

/** Names that a link shares with the button, or the part of a page, that it leads to. */
const sharedOnPurpose = ["Sign in", "Sign up", "Midman"];

/** Names that several buttons or links with different effects share. */
function findSharedNames(page: Page): Promise<string[]> {
  return page.evaluate((allowed) => {
    const nameOf = (element: HTMLElement): string => {
      const labelledBy = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
      const label = element.getAttribute("aria-label") ?? "";
      const from = labelledBy.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
      const pictures = [...element.querySelectorAll("img")].map(({ alt }) => alt).join(" ");
      return (from || label || `${element.textContent ?? ""} ${pictures}`).replace(/\s+/g, " ").trim();
    };
    /** A link's effect is the page that it leads to, whatever that is asked about; a button's what its form sends, or the button itself. */
    const effects = new Map<Element, string>();
    const effectOf = (element: HTMLElement): string => {
      if (element instanceof HTMLAnchorElement) return element.pathname;
      if (element instanceof HTMLButtonElement && element.form !== null && element.type === "submit") {
        // What opens a form is named as the button in it.
        const opener = element.closest("details")?.querySelector("summary");
        if (opener && nameOf(opener) === nameOf(element)) return effectOf(opener);
        return [element.form.action, ...new FormData(element.form).entries(), element.value].join();
      }
      const known = effects.get(element) ?? `element ${effects.size}`;
      effects.set(element, known);
      return known;
    };
    const byName = new Map<string, Set<string>>();
    // What is behind a modal dialog cannot be reached.
    const reach = document.querySelector("dialog[data-modal]") ?? document;
    for (const element of reach.querySelectorAll<HTMLElement>("a[href], button, summary")) {
      if (!element.checkVisibility() || element.closest("[aria-hidden=true], [inert]")) continue;
      const name = nameOf(element);
      // The button in a password's field says whether that password is shown, and follows it in the order of the keyboard.
      if (element.dataset.show !== undefined) continue;
      if (allowed.includes(name)) continue;
      byName.set(name, (byName.get(name) ?? new Set()).add(effectOf(element)));
    }
    return [...byName].filter(([, found]) => found.size > 1).map(([name, { size }]) => `“${name}” × ${size}`);
  }, sharedOnPurpose);
}

for (const [who, isTheirs, least] of audiences) {
  test(`no two buttons or links of one name do different things, on any screen of ${who}`, async ({
    browser,
    world,
  }) => {
    // Unmasked: a code in a name tells it from others.
    const seen = await viewer(browser, world, { masked: false });
    const own = screens.filter(({ as = "visitor" }) => isTheirs(as));
    test.setTimeout(own.length * 10_000);
    await seen.page.setViewportSize({ width: 1280, height: 800 });
    const found: string[] = [];
    for (const screen of own) {
      await seen.open(screen, { language: "en", theme: "light" });
      for (const shared of await findSharedNames(seen.page)) found.push(`${screen.name}: ${shared}`);
    }
    await seen.close();
    expect(own.length).toBeGreaterThan(least);
    expect(found).toEqual([]);
  });
}
