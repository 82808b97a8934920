// `bun tests/security/write-table.ts`: writes the tables of docs/security/asvs.md from not-applicable.ts and unproved.ts.
import { readFileSync, writeFileSync } from "node:fs";
import {
  notApplicableHeading,
  notApplicableTable,
  readSecuritySection,
  securityPagePath,
  unprovedHeading,
  unprovedTable,
} from "../support/sources/security-docs.ts";
import { notApplicable } from "./not-applicable.ts";
import { unproved } from "./unproved.ts";

const path = securityPagePath("asvs");

function replaceTable(heading: string, table: string): void {
  const old = readSecuritySection("asvs", heading).match(/^\|.*\|(?:\n\|.*\|)*$/m)?.[0];
  if (old === undefined) throw new Error(`docs/security/asvs.md has no table under "${heading}"`);
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(old, () => table),
  );
}

replaceTable(notApplicableHeading, notApplicableTable(notApplicable));
replaceTable(unprovedHeading, unprovedTable(unproved));
