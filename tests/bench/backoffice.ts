/**
 * bench:backoffice: the administrators' pages on a small Midman and on a large one, with the plans of their queries. `--small <url>` and
 * `--large <url>` name databases that are filled already (`bun run seed --large`); those that are not named are made and dropped.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { largeSizes } from "../../scripts/seed/large/fill-large.ts";
import { administratorsCookie, backOfficePages } from "../support/backoffice/backoffice-pages.ts";
import { rounds, short, sizes, values } from "./backoffice/asked.ts";
import { databaseOf } from "./backoffice/database.ts";
import { deskOf, type Measured, measure } from "./backoffice/measure.ts";
import { growth, plansText, tableText } from "./backoffice/report.ts";
import { atMost } from "./support/process.ts";
import { machine, median, table, verdict, writeSection } from "./support/results.ts";

atMost(short ? 300 : 3_600);
const about = machine();
const look = { cookie: administratorsCookie, pages: backOfficePages };
await using small = await databaseOf(values.small, sizes.small);
await using many = await databaseOf(values.large, sizes.large);
const desks = [await deskOf(small.url, look), await deskOf(many.url, look)] as const;
let measured: Measured[];
try {
  measured = await measure(desks, rounds);
} finally {
  for (const desk of desks) await desk.end();
}

const grown = measured.map(growth);
const slower = measured.filter((page) => growth(page) > 1.3);
const sequential = measured.filter(({ large: { plans } }) =>
  plans.some((plan) => plan.sequential.length > 0),
);
const counted = ({ users, transactions, logs }: typeof largeSizes) =>
  `${transactions.toLocaleString("en-US")} transactions, ${users.toLocaleString("en-US")} users, ${logs.toLocaleString("en-US")} entries of the log`;
const text = [
  `${about} ${rounds} rounds, the two in turn: medians. Each page as an administrator gets it, its answer read to the end.`,
  `Small: ${counted(sizes.small)}. Large: ${counted(sizes.large)}.`,
  table(
    ["what", "measured", "target", ""],
    [
      verdict("growth, median of all pages: large ÷ small", median(grown), { atMost: 1.3 }),
      // No target: pages that show more the more there is are among them (named below).
      ["growth, page that grew most", `${Math.max(...grown).toFixed(2)} ×`, "", ""],
      verdict("pages with a sequential scan over a large table", sequential.length, { atMost: 0 }, "", 0),
    ],
  ),
  `${slower.length} of ${measured.length} pages grew beyond 1.3 ×${slower.length === 0 ? "." : `: ${slower.map(({ name }) => `\`${name}\``).join(", ")}.`}
Where the small one finds fewer than the 25 that a page shows, the large one's page is the longer. The plans are in backoffice-plans.md. Rows are
those the page's queries touched.`,
  tableText(measured),
].join("\n\n");
if (!short) {
  writeSection("bench:backoffice", text);
  writeFileSync(
    join(import.meta.dir, "backoffice-plans.md"),
    plansText(`${about} ${counted(sizes.large)}.`, measured),
  );
}
console.log(text);
