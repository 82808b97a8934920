/**
 * Verifies the ledger: `bun run ledger:verify`, beside a running instance or alone. Prints the sums and one line with the verdict. Exits
 * with 0 if everything agrees, and with 1 if anything does not or the database cannot be reached.
 */
import "./console/console-settings.ts";

import { registerTradeProof } from "#modules/escrow";
import { type LedgerProblem, type LedgerSums, verifyLedger } from "#modules/payments";
import { openForCommand } from "./console/open-for-command.ts";

const numberFormat = new Intl.NumberFormat("en-US");

function printSums(sums: LedgerSums): void {
  const money: Array<[string, number]> = [
    ["received", sums.received],
    ["held", sums.held],
    ["suspense", sums.suspense],
    ["paid out", sums.paidOut],
    ["fees", sums.fees],
    ["refunded", sums.refunded],
  ];
  for (const [name, value] of money) {
    console.log(`${name.padEnd(10)}${numberFormat.format(value).padStart(24)} ₮`);
  }
  const { journals, entries, payments, payouts } = sums;
  const counts = { journals, entries, payments, "payouts and refunds": payouts };
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${numberFormat.format(count)} ${name}`)
      .join(", "),
  );
}

function printProblem({ code, count, examples }: LedgerProblem): void {
  console.log(`${code}: ${numberFormat.format(count)}, such as ${examples.join(", ")}`);
}

async function runLedgerVerification(): Promise<number> {
  registerTradeProof();
  const database = await openForCommand();
  try {
    const verdict = await verifyLedger();
    printSums(verdict.sums);
    if (verdict.ok) {
      console.log("The ledger balances: received = held + suspense + paid out + fees + refunded.");
      return 0;
    }
    verdict.problems.forEach(printProblem);
    console.log(`The ledger is BROKEN: ${verdict.problems.map((problem) => problem.code).join(", ")}.`);
    return 1;
  } finally {
    await database.stop();
  }
}

try {
  process.exit(await runLedgerVerification());
} catch (error) {
  console.error(`The ledger could not be verified: ${(error as Error).message}`);
  process.exit(1);
}
