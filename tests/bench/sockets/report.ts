import { nodeVersion } from "../support/packages.ts";
import { median, range, table, verdict, writeSection } from "../support/results.ts";
import { steps, type Weighed } from "./steps.ts";

/** Writes the section of bench:sockets and shows it. */
export function report(found: {
  about: string;
  weighed: Weighed[];
  rounds: number;
  missing: Error | undefined;
}): void {
  const of = (name: string) => median(found.weighed.find((each) => each.name === name)?.bytes ?? []);
  const rows = found.weighed
    .filter(({ bytes }) => bytes.length > 0)
    .map(({ name, bytes }) => [
      name,
      (median(bytes) / 1024).toFixed(1),
      range(
        bytes.map((each) => each / 1024),
        1,
      ),
    ]);
  const verdicts = [verdict("Midman ÷ bare Bun", of("Midman") / of("bare Bun"), { atMost: 2 })];
  const section = [
    `${found.about} Socket.IO 4.8.4 with @socket.io/redis-adapter 8.3.0 on Node ${nodeVersion}.`,
    `Memory of the server in RAM with ${steps.slice(1).join(", ")} idle sockets in rooms of ten, after the garbage collector was asked to give back what it
can: the slope of the line through these points, median of ${found.rounds} rounds, each of a new process. Midman's sockets are those of two people in all
their rooms, each with its session, its seat, its lease of presence and its subscription.`,
    found.missing === undefined
      ? ""
      : `**The reference Socket.IO is missing**: ${found.missing.message.split("\n")[0]}`,
    table(["KB a socket", "median", "lowest–highest"], rows),
    table(["ratio", "measured", "target", ""], verdicts),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  writeSection("bench:sockets", section);
  console.log(section);
}
