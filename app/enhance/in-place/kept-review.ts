import { readStored, storedKeys, writeStored } from "../browser/browser-storage.ts";
import { nameOf, refillForms, textFieldsOf } from "./filled-fields.ts";

// What a person has entered about their own account would be lost if the page is loaded again during its review. It stays in this tab.

/** It is a draft, as the Privacy Policy calls what somebody is still writing. */
const keyPrefix = "midman-draft:review:";

/** Long enough to look up a number and come back, in ms; an account must not stay in a tab that is left open. */
const lifetimeMs = 30 * 60_000;

/** The forms whose input is kept, by name: accounts that people enter for themselves. */
const keptForms: ReadonlySet<string> = new Set(["bank-info", "refund-destination"]);

/** Keeps the input of a form that the page now shows for review; `isSaved` says that it was saved, so nothing need be kept. */
export function keepReview(form: string, isSaved: boolean): void {
  if (!keptForms.has(form)) return;
  const reviews = document.querySelectorAll<HTMLFormElement>("form[data-review]");
  const review = [...reviews].find((one) => nameOf(one) === form);
  const fields = review && textFieldsOf(review).filter(([name]) => name !== "confirmed");
  if (fields) {
    writeStored("sessionStorage", keyOf(form), `${Date.now()} ${JSON.stringify(fields)}`);
    deleteLater(keyOf(form), lifetimeMs);
  } else if (isSaved) writeStored("sessionStorage", keyOf(form), null);
}

/** A tab may stay open for longer. What was entered again since is deleted by its own timer. */
function deleteLater(key: string, afterMs: number): void {
  setTimeout(() => {
    const { savedAt } = parseReview(readStored("sessionStorage", key) ?? "");
    if (!(Date.now() - savedAt < lifetimeMs)) writeStored("sessionStorage", key, null);
  }, afterMs + 1_000);
}

/** Fills in what was under review when this page was last left, and deletes what is another person's or too old. */
export function startKeptReview(): void {
  const own = `${keyPrefix}${reader()} `;
  for (const key of storedKeys("sessionStorage")) {
    if (!key.startsWith(keyPrefix)) continue;
    const { savedAt, fields } = parseReview(readStored("sessionStorage", key) ?? "");
    const isFresh = Math.abs(Date.now() - savedAt) < lifetimeMs;
    if (!key.startsWith(own) || !isFresh) {
      writeStored("sessionStorage", key, null);
      continue;
    }
    deleteLater(key, savedAt + lifetimeMs - Date.now());
    const form = key.split(" ").at(-1) ?? "";
    if (key === keyOf(form)) refill(form, fields);
  }
}

/** Fills the fields that are as the server sent them: what the person has typed meanwhile, or the browser has brought back, stays. */
function refill(form: string, kept: Array<[string, string]>): void {
  const shown = [...document.querySelectorAll("form")].find((one) => nameOf(one) === form);
  const fields = kept.filter(([name]) => {
    const field = shown?.elements.namedItem(name);
    return field instanceof HTMLInputElement && field.value === field.defaultValue;
  });
  refillForms(document.body, [{ form, fields }]);
}

/** A stored review is its time, in ms since 1970, a space, and the fields. */
function parseReview(stored: string): { savedAt: number; fields: Array<[string, string]> } {
  const end = stored.indexOf(" ");
  if (end < 1) return { savedAt: Number.NaN, fields: [] };
  return { savedAt: Number(stored.slice(0, end)), fields: JSON.parse(stored.slice(end + 1)) };
}

/** A room and the page of its trade are one place. */
function keyOf(form: string): string {
  const place = document.querySelector<HTMLElement>("[data-room]")?.dataset.room ?? location.pathname;
  return `${keyPrefix}${reader()} ${place} ${form}`;
}

const reader = () => document.querySelector<HTMLElement>("[data-in-place]")?.dataset.user ?? "";
