import { writeFileSync } from "node:fs";
import { machine, table } from "../bench/support/results.ts";

/** A step of the day: what was seen, or why it was left out. */
export type StepReport = {
  step: string;
  seen: string[];
  seconds: number;
  skipped?: boolean;
  failed?: boolean;
};

const intro = `What \`bun run operator:day\` did and saw last. It plays the operator's day on a machine of its own (layers over /etc, /opt, /usr/local, /var/lib
and /var/backups in a namespace of mounts; no systemd): the kit's \`install.sh\`, the kit's file of settings and \`midman\`, the unit's program started as
its user, haproxy with the kit's file and a certificate that the client verifies, a payment provider and a post office that speak their protocols.`;

/** Writes the report of a day. */
export function writeReport(file: string, steps: readonly StepReport[], others: string[]): void {
  const mark = ({ skipped, failed }: StepReport) => (failed ? "**failed**" : skipped ? "left out" : "done");
  const rows = steps.map((one) => [
    one.step,
    mark(one),
    one.seen.map(cell).join("<br>"),
    one.seconds.toFixed(1),
  ]);
  const failures = steps.filter(({ failed }) => failed).length;
  const sum = failures === 0 ? "No step failed." : `**${failures} of ${steps.length} steps failed.**`;
  const text = `# The operator's day\n\n${intro}\n\n${machine(others)} ${sum}\n\n${table(["step", "", "what was seen", "seconds"], rows)}\n`;
  writeFileSync(file, text);
}

const cell = (words: string) =>
  words
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
