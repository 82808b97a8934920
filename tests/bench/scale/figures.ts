import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What one of each costs, in microseconds of processor time. */
export type Figures = Record<"message" | "page" | "payment", { server: number; database: number }> & {
  /** Of a delivery to one socket, in a room of two, over Redis. */
  delivery: number;
};

const results = join(import.meta.dir, "..", "results.md");

/** Reads the figures from the results page; throws where a bench has not been run. */
export function measured(page = readFileSync(results, "utf8")): Figures {
  const scale = sectionOf(page, "bench:scale");
  const of = (what: string) => {
    const [server, database] = numbersOf(scale, what);
    return { server: given(server, what), database: given(database, what) };
  };
  const [delivery] = numbersOf(sectionOf(page, "bench:fanout"), "Midman with Redis");
  return {
    message: of("message"),
    page: of("page of a room"),
    payment: of("payment"),
    delivery: given(delivery, "Midman with Redis"),
  };
}

function sectionOf(page: string, name: string): string {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${name}\n`));
  if (section === undefined) throw new Error(`results.md has no section ${name}: run it first`);
  return section;
}

/** The numbers of a table's line, in the order of its columns. */
function numbersOf(section: string, first: string): number[] {
  const line = section.split("\n").find((each) => each.startsWith(`| ${first} |`));
  return (line ?? "")
    .split("|")
    .slice(2)
    .map((cell) => Number.parseFloat(cell));
}

function given(value: number | undefined, what: string): number {
  if (value === undefined || Number.isNaN(value)) throw new Error(`results.md has no figure for ${what}`);
  return value;
}
