import { connections } from "../sql/durable.ts";
import { median, range, table, verdict, writeSection } from "../support/results.ts";

/** One move of the money path: transactions a second of each, and what one took of the server's processor. */
export type Found = {
  move: string;
  statements: number;
  rounds: Array<{ ours: number; pgbench: number; cpuMicros: number }>;
};

/** Writes the section of bench:money and shows it. */
export function report(it: {
  about: string;
  short: boolean;
  version: string;
  ofRound: number;
  found: Found[];
}): void {
  const rows = it.found.map(({ move, statements, rounds }) => {
    const of = (part: "ours" | "pgbench" | "cpuMicros") => rounds.map((round) => round[part]);
    const shown = (values: number[]) => `${median(values).toFixed(0)} (${range(values, 0)})`;
    return [move, statements, shown(of("ours")), shown(of("pgbench")), shown(of("cpuMicros"))];
  });
  const verdicts = it.found.map(({ move, rounds }) =>
    verdict(`${move}: Midman ÷ pgbench`, median(rounds.map(({ ours, pgbench }) => ours / pgbench)), {
      atLeast: 0.6,
    }),
  );
  const text = [
    `${it.about} ${it.version}.`,
    `Trades of one pair, each in a room of its own, made through the API. Confirm completion: the buyer's \`POST …/complete\` on a paid trade. Check
payment: the buyer's \`POST …/verify\` on one that is paid at the provider, who has told nobody; the provider is the sandbox, in the same
process, and its statements and processor time are in these figures. pgbench runs all statements that the server was heard to send for one such
call, with -M prepared over ${connections} connections, as many as the server's pool has and as requests are under way. Postgres keeps what it
acknowledges. ${it.found[0]?.rounds.length} rounds of ${it.ofRound} trades each, the two in turn on one database: medians, and in brackets the lowest and highest round. The server,
and in its turn pgbench, on core 0; clients and Postgres on core 1.`,
    table(["transactions/s", "statements", "Midman", "pgbench", "server CPU-µs each"], rows),
    table(["ratio", "measured", "target", ""], verdicts),
  ].join("\n\n");
  if (!it.short) writeSection("bench:money", text);
  console.log(text);
}
