import { describe, expect, test } from "bun:test";
import { circumstances } from "./circumstances.fixture.ts";
import { decideCommand } from "./decide.ts";
import { at, tradeIn } from "./trade.fixture.ts";

describe("the state machine, by circumstance", () => {
  for (const [what, status, patch, who, command, expected] of circumstances) {
    test(`${what}: ${status}, ${command.kind} by ${who} → ${expected}`, () => {
      const trade = tradeIn(status, patch);
      const decision = decideCommand(trade, { ...command, who }, at);
      const came = decision.ok ? (decision.changed ? decision.trade.status : "=") : decision.code;
      expect(came).toBe(expected);
    });
  }
});
