import { parseArgs } from "node:util";
import { largeSizes } from "../../../scripts/seed/large/fill-large.ts";
import { small } from "./database.ts";

/** What bench:backoffice and bench:growth were asked: `--short`, and `--small <url>` and `--large <url>` of databases that are filled already. */
export const { values } = parseArgs({
  options: { short: { type: "boolean" }, small: { type: "string" }, large: { type: "string" } },
});
/** A short run looks at less, and writes nothing down. */
export const short = values.short === true;
export const rounds = short ? 2 : 11;
export const sizes = {
  small,
  large: short ? { users: 3_000, transactions: 6_000, logs: 150_000 } : largeSizes,
};
