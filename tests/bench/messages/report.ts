import { connections } from "../sql/durable.ts";
import type { Recorded } from "../sql/script.ts";
import { median, range, table, verdict, writeSection } from "../support/results.ts";

/** Messages a second, what one took of the server's processor, how much of its core that was, and pgbench's transactions a second. */
export type Round = { ours: number; cpuMicros: number; busy: number; pgbench: number };

/** Writes the section of bench:messages and shows it. */
export function report(it: {
  about: string;
  short: boolean;
  rooms: number;
  atOnce: number;
  seconds: number;
  statements: Recorded[];
  version: string;
  found: Round[];
}): void {
  const of = (part: keyof Round) => it.found.map((round) => round[part]);
  const row = (name: string, part: "ours" | "pgbench") => [
    name,
    median(of(part)).toFixed(0),
    range(of(part), 0),
  ];
  const ratio = median(it.found.map(({ ours, pgbench }) => ours / pgbench));
  const text = [
    `${it.about} ${it.version}.`,
    `${it.rooms.toLocaleString("en-US")} rooms, a socket each, ${it.atOnce} messages under way at once, each counted once it is acknowledged. Postgres keeps what it
acknowledges (fsync and synchronous_commit on). pgbench runs the ${it.statements.length} statements that the server was heard to send for one message, reads of
session and seat, BEGIN and COMMIT among them, with -M prepared over ${connections} connections, as many as the server's pool has, on rooms
picked at random. ${it.found.length} rounds of ${it.seconds} s, the two in turn on one database. The server, and in its turn pgbench, on core 0; the sockets'
clients and Postgres on core 1.`,
    table(
      ["durable messages/s", "median", "lowest–highest round"],
      [row("Midman", "ours"), row("pgbench", "pgbench")],
    ),
    table(
      ["ratio", "measured", "target", ""],
      [verdict("durable messages/s: Midman ÷ pgbench", ratio, { atLeast: 0.6 })],
    ),
    `Server CPU-µs a message: ${median(of("cpuMicros")).toFixed(0)} (${range(of("cpuMicros"), 0)}), ${(median(of("busy")) * 100).toFixed(0)} % of its core.`,
  ].join("\n\n");
  if (!it.short) writeSection("bench:messages", text);
  console.log(text);
}
