// `bun tests/security/write-table.ts`: writes the table of SECURITY.md from not-applicable.ts.
import { readFileSync, writeFileSync } from "node:fs";
import { notApplicableTable, section, securityFile, tableHeading } from "../support/security-md.ts";
import { notApplicable } from "./not-applicable.ts";

const whole = readFileSync(securityFile, "utf8");
const old = section(tableHeading);
const table = old.match(/^\|.*\|(?:\n\|.*\|)*$/m)?.[0];
if (table === undefined) throw new Error("SECURITY.md has no table to replace");
writeFileSync(
  securityFile,
  whole.replace(table, () => notApplicableTable(notApplicable)),
);
