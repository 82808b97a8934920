import { describe, expect, test } from "bun:test";
import { commands } from "./commands.fixture.ts";
import { commandGivers, decideCommand } from "./decide.ts";
import { at, tradeIn } from "./trade.fixture.ts";
import type { Command, Decision, Status, Trade, Who } from "./trade-types.ts";
import { tradeStatuses } from "./trade-types.ts";

// A trade on hold: the same table of every command in every state, once free and once on hold.

const holds = ["ODD_ROW"] as const;
const asksAnew = new Set<Command["kind"]>(["amend", "issue_invoice"]);

type Given = { name: string; trade: Trade; command: Command; who: Who };
const every: Given[] = Object.entries(commands).flatMap(([name, { command, patch }]) =>
  commandGivers[command.kind].may.flatMap((who) =>
    tradeStatuses.map((status: Status) => {
      const plain = tradeIn(status);
      return { name: `${name} by ${who}, ${status}`, trade: { ...plain, ...patch?.(plain) }, command, who };
    }),
  ),
);

const held = ({ trade, command, who }: Given): Decision =>
  decideCommand({ ...trade, holds }, { ...command, who }, at);
const free = ({ trade, command, who }: Given): Decision => decideCommand(trade, { ...command, who }, at);

/** True if a command ends the trade, or asks its buyer for money again. */
function isHeldBack(given: Given): boolean {
  const decision = free(given);
  if (!decision.ok || !decision.changed || given.command.kind === "money_left") return false;
  const ends = given.trade.endedAt === null && decision.trade.endedAt !== null;
  return ends || asksAnew.has(given.command.kind);
}

describe("a trade on hold", () => {
  test.each(every.filter(isHeldBack))("does not let $name take effect", (given) => {
    expect(held(given)).toEqual({ ok: false, code: "TRADE_ON_HOLD", current: given.trade.status });
  });

  test("handles everything else as usual: refusals, repeats, and steps that do not end it", () => {
    const others = every.filter((given) => !isHeldBack(given) && given.trade.endedAt === null);
    expect(others.length).toBeGreaterThan(100);
    for (const given of others) {
      const [plain, under] = [free(given), held(given)];
      expect(under).toEqual(plain.ok ? { ...plain, trade: { ...plain.trade, holds } } : plain);
    }
  });

  test("still records that money was sent, which closes it", () => {
    const trade = { ...tradeIn("settlement_pending"), held: 0, holds };
    expect(decideCommand(trade, { kind: "money_left", who: "admin" }, at)).toMatchObject({
      ...{ ok: true, changed: true, trade: { status: "completed" } },
    });
  });

  test("cannot be cancelled by an administrator after its end either", () => {
    const trade = { ...tradeIn("completed"), held: 110_000, moneySent: false, holds };
    const cancel = { kind: "cancel", ourFault: false, who: "admin" } as const;
    expect(decideCommand(trade, cancel, at)).toMatchObject({ ok: false, code: "TRADE_ON_HOLD" });
  });
});
