/**
 * The operator's commands at the console, beside a running instance or alone: `bun run admin --help`. Each is recorded in the audit log.
 * Exits with 0 if done, with 1 if refused, with 2 on wrong usage.
 */
import "./console/console-settings.ts";

import { parseArgs } from "node:util";
import { config } from "#config";
import { startBus, stopBus } from "#db/bus";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { formatMoment } from "#format";
import { haltSwitchSchema as halting, moneyFormLimits } from "#forms/payments";
import {
  administratorLine,
  administratorsAtConsole,
  createAdminAtConsole,
  resetPasswordAtConsole,
} from "#modules/identity";
import { haltMoney, readHaltState } from "#modules/payments";
import { openForCommand } from "./console/open-for-command.ts";

const adminUsage = `usage: bun run admin list
       bun run admin create <username> <email>
       bun run admin reset-password <username> [--remove-second-factor]
       bun run admin halt <reason>
       bun run admin resume <reason> [--yes]

create and reset-password print a password once; it must be changed at the next sign-in. A second factor stays
unless it is removed. halt stops all outgoing money; resume asks you to type RESUME, unless --yes is given.`;

/** Wrong usage; the message is the usage. */
class AdminUsageError extends Error {}

type Options = { "remove-second-factor"?: boolean; yes?: boolean };
type Command = (words: string[], options: Options) => Promise<number>;

const adminCommands: Record<string, { words: number; options?: Array<keyof Options>; run: Command }> = {
  list: { words: 0, run: listAdministrators },
  create: { words: 2, run: createAdministrator },
  "reset-password": { words: 1, options: ["remove-second-factor"], run: resetPassword },
  halt: { words: 1, run: haltOutgoingMoney },
  resume: { words: 1, options: ["yes"], run: resumeOutgoingMoney },
};

async function listAdministrators(): Promise<number> {
  for (const {
    username,
    email,
    createdAt,
    secondFactorAt,
    mustChangePassword,
  } of await administratorsAtConsole()) {
    const factor = secondFactorAt === null ? "no second factor" : "second factor";
    const password = mustChangePassword ? ", must change the password" : "";
    console.log(`${username}  ${email ?? "–"}  since ${formatMoment(createdAt)}  ${factor}${password}`);
  }
  const { halted, changedAt, reason } = await readHaltState(db());
  const since = changedAt === null ? "" : ` since ${formatMoment(changedAt)}`;
  console.log(halted ? `Outgoing money is halted${since}: ${reason ?? ""}` : "Outgoing money is not halted.");
  return 0;
}

async function createAdministrator([username = "", email = ""]: string[]): Promise<number> {
  const made = await createAdminAtConsole({ username, email }, currentTime());
  if (!made.ok && made.code === "TAKEN")
    return reportRefusal(`${username} or ${email} already belongs to someone.`);
  if (!made.ok) return reportRefusal(`Not usable as ${made.fields.join(" and ")}.`);
  console.log(administratorLine(username, made.oneTimePassword));
  console.log("All other administrators are notified by mail.");
  return 0;
}

async function resetPassword([username = ""]: string[], options: Options): Promise<number> {
  const removeSecondFactor = options["remove-second-factor"] === true;
  const done = await resetPasswordAtConsole({ username, removeSecondFactor }, currentTime());
  if (!done.ok) return reportRefusal(`There is no user ${username}.`);
  console.log(
    `${username}: one-time password ${done.oneTimePassword}; ${done.sessionsEnded} sessions ended.`,
  );
  if (removeSecondFactor)
    console.log(done.factorRemoved ? "The second factor is removed." : "There was no second factor.");
  return 0;
}

async function haltOutgoingMoney([reason = ""]: string[]): Promise<number> {
  const { changed } = await haltMoney({ on: true, reason, at: currentTime(), by: { userId: null } });
  if (changed) {
    console.log("All outgoing money is halted.");
    return 0;
  }
  const { changedAt, reason: kept } = await readHaltState(db());
  const since = changedAt === null ? "" : ` since ${formatMoment(changedAt)}`;
  console.log(`Outgoing money was already halted${since}; the reason stays: ${kept ?? ""}`);
  return 0;
}

async function resumeOutgoingMoney([reason = ""]: string[], { yes }: Options): Promise<number> {
  const state = await readHaltState(db());
  if (!state.halted) {
    console.log("Outgoing money is not halted.");
    return 0;
  }
  console.log(`Halted: ${state.reason ?? "no reason was given"}`);
  if (yes !== true && prompt("Type RESUME to allow outgoing money again:")?.trim() !== "RESUME") {
    return reportRefusal("Nothing was changed: outgoing money stays halted.");
  }
  await haltMoney({ on: false, reason, at: currentTime(), by: { userId: null } });
  console.log("Outgoing money is allowed again.");
  return 0;
}

function reportRefusal(why: string): number {
  console.error(why);
  return 1;
}

/** Whether the words are a single reason that the back office would accept too. */
const isValidReason = (words: string[]): boolean =>
  words.length === 1 && halting.shape.reason.safeParse(words[0]).success;
const reasonWords = (name: string): string =>
  `${name} takes one reason of at most ${moneyFormLimits.reason} characters, in quotes: bun run admin ${name} "the bank called"\n${adminUsage}`;

function parseCommand(): { run: () => Promise<number> } | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      yes: { type: "boolean" },
      "remove-second-factor": { type: "boolean" },
    },
  });
  const { help, ...options } = values;
  if (help) return undefined;
  const [name = "", ...words] = positionals;
  const command = Object.hasOwn(adminCommands, name) ? adminCommands[name] : undefined;
  if (command === undefined)
    throw new AdminUsageError(name === "" ? adminUsage : `There is no command ${name}.\n${adminUsage}`);
  const known = new Set<string>(command.options);
  if ((name === "halt" || name === "resume") && !isValidReason(words))
    throw new AdminUsageError(reasonWords(name));
  const strange = Object.keys(options).find((option) => !known.has(option));
  if (strange !== undefined || words.length !== command.words || words.some((word) => word.trim() === "")) {
    throw new AdminUsageError(adminUsage);
  }
  return { run: () => command.run(words, options) };
}

async function runAdminCommand(): Promise<number> {
  const command = parseCommand();
  if (command === undefined) {
    console.log(adminUsage);
    return 0;
  }
  const database = await openForCommand();
  try {
    // The instances cut the sockets of revoked sessions, and learn of them over the bus.
    await startBus(config().REDIS_URL, config().REDIS_CLUSTER);
    return await command.run();
  } finally {
    await stopBus();
    await database.stop();
  }
}

try {
  process.exit(await runAdminCommand());
} catch (error) {
  const wrong =
    error instanceof AdminUsageError || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
  const text = (error as Error).message;
  console.error(
    error instanceof AdminUsageError ? text : wrong ? `${text}\n${adminUsage}` : `Failed: ${text}`,
  );
  process.exit(wrong ? 2 : 1);
}
