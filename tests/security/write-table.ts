// `bun tests/security/write-table.ts`: writes the tables of SECURITY.md from not-applicable.ts and unproved.ts.
import { readFileSync, writeFileSync } from "node:fs";
import {
  notApplicableTable,
  section,
  securityFile,
  tableHeading,
  unprovedHeading,
  unprovedTable,
} from "../support/security-md.ts";
import { notApplicable } from "./not-applicable.ts";
import { unproved } from "./unproved.ts";

function replaceTable(heading: string, table: string): void {
  const old = section(heading).match(/^\|.*\|(?:\n\|.*\|)*$/m)?.[0];
  if (old === undefined) throw new Error(`SECURITY.md has no table under "${heading}"`);
  writeFileSync(
    securityFile,
    readFileSync(securityFile, "utf8").replace(old, () => table),
  );
}

replaceTable(tableHeading, notApplicableTable(notApplicable));
replaceTable(unprovedHeading, unprovedTable(unproved));
