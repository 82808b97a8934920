import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownActPatterns } from "#constants/rooms";
import { formatInWords } from "../../../../tests/support/trades/format-in-words.ts";
import { circumstances } from "./circumstances.fixture.ts";
import { commands } from "./commands.fixture.ts";
import { commandGivers, decideCommand } from "./decide.ts";
import { at, birth, tradeIn } from "./trade.fixture.ts";
import type { Command, Effect, Trade, Who } from "./trade-types.ts";
import { tradeStatuses } from "./trade-types.ts";

// Every effect of every command that takes effect: which fields of the trade change, and who is notified. `decisions.txt` has the expected
// lines. After an intended change of a decision, `DECISIONS=write bun test decisions` writes them again, for review.
const approved = join(import.meta.dir, "decisions.txt");

const said = (value: unknown) => formatInWords(value, moment);

function moment(value: unknown): string | undefined {
  if (!(value instanceof Date)) return undefined;
  if (value.getTime() === birth.getTime()) return "birth";
  const hours = (value.getTime() - at.getTime()) / 3_600_000;
  return hours === 0 ? "now" : `${hours > 0 ? "+" : ""}${hours}h`;
}

function difference(before: Trade, after: Trade): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as Array<keyof Trade>;
  return keys
    .filter((key) => said(before[key]) !== said(after[key]))
    .map((key) => `${key} ${said(after[key])}`);
}

const told = ({ kind, ...rest }: Effect) => `${kind} ${Object.values(rest).map(said).join(" ")}`.trim();

function whole(trade: Trade, command: Command, who: Who): string[] {
  const decision = decideCommand(trade, { ...command, who }, at);
  if (!decision.ok || !decision.changed) return [];
  return [
    `  ${difference(trade, decision.trade).join("; ")}`,
    ...decision.effects.map((effect) => `  · ${told(effect)}`),
  ];
}

const everyState = Object.entries(commands).flatMap(([given, { command, patch }]) =>
  commandGivers[command.kind].may.flatMap((who) =>
    tradeStatuses.flatMap((status) => {
      const plain = tradeIn(status);
      const lines = whole({ ...plain, ...patch?.(plain) }, command, who);
      return lines.length === 0 ? [] : [`${given} by ${who}, ${status}`, ...lines];
    }),
  ),
);
const everyCircumstance = circumstances.flatMap(([what, status, patch, who, command]) => {
  const lines = whole(tradeIn(status, patch), command, who);
  return lines.length === 0 ? [] : [`${command.kind} by ${who}, ${status}: ${what}`, ...lines];
});

test("every decision is complete: what it changes, and whom it notifies", () => {
  const lines = [...everyState, "", ...everyCircumstance];
  if (process.env.DECISIONS === "write") writeFileSync(approved, `${lines.join("\n")}\n`);
  expect(lines).toEqual(readFileSync(approved, "utf8").trimEnd().split("\n"));
});

test("a notice names the party by whose command it is posted, and no one else", () => {
  const given = Object.values(commands).flatMap(({ command, patch }) =>
    commandGivers[command.kind].may.flatMap((who) =>
      tradeStatuses.map((status) => {
        const plain = tradeIn(status);
        return [{ ...plain, ...patch?.(plain) }, command, who] as const;
      }),
    ),
  );
  const besides = circumstances.map(
    ([, status, patch, who, command]) => [tradeIn(status, patch), command, who] as const,
  );
  const named = new Set<string>();
  for (const [trade, command, who] of [...given, ...besides]) {
    const party = who === "buyer" || who === "seller" ? who : undefined;
    const decision = decideCommand(trade, { ...command, who }, at);
    for (const effect of decision.ok ? decision.effects : []) {
      if (effect.kind !== "notice") continue;
      // What a check of the payment finds is news to the buyer who asked for it, too.
      expect([effect.code, effect.params?.by]).toEqual([
        effect.code,
        command.kind === "payment_checked" ? undefined : party,
      ]);
      if (party !== undefined) named.add(effect.code);
    }
  }
  expect(named.size).toBeGreaterThan(15);
});

test("no notice that is posted today needs its code to say whose act it is", () => {
  const courses = readFileSync(join(import.meta.dir, "../core/courses.txt"), "utf8");
  const notices = [...courses.matchAll(/^notice (\w+) system [^{]*\{(.*)\}$/gm)];
  for (const role of ["buyer", "seller"] as const) {
    const acts = notices.filter(([, code = ""]) => new RegExp(ownActPatterns[role]).test(code));
    expect(new Set(acts.map(([, code]) => code)).size).toBeGreaterThan(7);
    expect(
      acts.filter(([, , params = ""]) => !`, ${params},`.includes(`, by ${role},`)).map(([line]) => line),
    ).toEqual([]);
  }
});
