import { describe, expect, test } from "bun:test";
import { commands } from "./commands.fixture.ts";
import { commandGivers, decideCommand } from "./decide.ts";
import { at, tradeIn } from "./trade.fixture.ts";
import type { Command, CommandKind, Rejection, Status, Trade, Who } from "./trade-types.ts";
import { tradeStatuses } from "./trade-types.ts";

// The transition table: every state × command × actor. Columns are states, in this order:
const columns: Record<string, Status> = {
  ini: "initiated",
  inv: "payment_initiated",
  pen: "payment_pending",
  pro: "payment_processing",
  fai: "payment_failed",
  con: "payment_confirmed",
  exc: "exchange_completed",
  set: "settlement_pending",
  dis: "disputed",
  com: "completed",
  can: "cancelled",
};
// A cell: a state (the command takes effect and leads there), `=` (it took effect before, nothing changes), or a refusal:
const refusals: Record<string, Rejection> = {
  OVER: "TRADE_OVERTAKEN",
  PAY1: "NOT_PAID_YET",
  NOREQ: "PAYMENT_NOT_REQUESTED",
  BUY: "BUYER_ONLY",
  BUY1: "BUYER_FIRST",
  OPEN: "DISPUTE_OPEN",
  YOURS: "DISPUTE_NOT_YOURS",
  SENT: "MONEY_ALREADY_SENT",
  HELD: "MONEY_HELD",
  WAY: "TRADE_UNDER_WAY",
  WOPEN: "WINDOW_OPEN",
  UNKN: "CHECK_UNKNOWN",
};

/** Who may give a command (`.`), and the refusal for everyone else. */
const actors = `
                       buyer        seller       admin            clock            provider
amend                  SELLER_ONLY  .            SELLER_ONLY      SELLER_ONLY      SELLER_ONLY
withdraw               SELLER_ONLY  .            SELLER_ONLY      SELLER_ONLY      SELLER_ONLY
issue_invoice          .            .            PARTY_ONLY       PARTY_ONLY       PARTY_ONLY
mark_paid              .            BUYER_ONLY   BUYER_ONLY       BUYER_ONLY       BUYER_ONLY
payment_checked        .            BUYER_ONLY   .                .                .
expire                 NOT_AUTHORIZED NOT_AUTHORIZED NOT_AUTHORIZED .              NOT_AUTHORIZED
hand_over              SELLER_ONLY  .            SELLER_ONLY      SELLER_ONLY      SELLER_ONLY
take_goods             .            BUYER_ONLY   BUYER_ONLY       BUYER_ONLY       BUYER_ONLY
confirm                .            .            PARTY_ONLY       PARTY_ONLY       PARTY_ONLY
request_cancellation   .            .            PARTY_ONLY       PARTY_ONLY       PARTY_ONLY
decline_cancellation   .            .            PARTY_ONLY       PARTY_ONLY       PARTY_ONLY
withdraw_cancellation  .            .            PARTY_ONLY       PARTY_ONLY       PARTY_ONLY
open_dispute           .            .            PARTY_ONLY       PARTY_ONLY       PARTY_ONLY
withdraw_dispute       .            .            PARTY_ONLY       PARTY_ONLY       PARTY_ONLY
rule                   ADMIN_REQUIRED ADMIN_REQUIRED .            ADMIN_REQUIRED   ADMIN_REQUIRED
complete               ADMIN_REQUIRED ADMIN_REQUIRED .            ADMIN_REQUIRED   ADMIN_REQUIRED
pay_seller             ADMIN_REQUIRED ADMIN_REQUIRED .            ADMIN_REQUIRED   ADMIN_REQUIRED
cancel                 ADMIN_REQUIRED ADMIN_REQUIRED .            ADMIN_REQUIRED   ADMIN_REQUIRED
money_left             ADMIN_REQUIRED ADMIN_REQUIRED .            ADMIN_REQUIRED   ADMIN_REQUIRED
hide                   ADMIN_REQUIRED ADMIN_REQUIRED .            ADMIN_REQUIRED   ADMIN_REQUIRED`;

/** The outcome of each command from someone who may give it. In `disputed`, the buyer opened the dispute, from `payment_confirmed`. */
const table = `
given                 who      ini   inv   pen   pro   fai   con   exc   set   dis   com   can
amend                 seller   ini   ini   ini   ini   ini   OVER  OVER  OVER  OVER  OVER  OVER
withdraw              seller   can   can   can   can   can   OVER  OVER  OVER  OVER  OVER  OVER
issue_invoice         buyer    inv   inv   inv   inv   inv   OVER  OVER  OVER  OVER  OVER  OVER
issue_invoice         seller   inv   BUY   BUY   BUY   BUY   OVER  OVER  OVER  OVER  OVER  OVER
mark_paid             buyer    NOREQ pro   pro   =     pro   =     =     =     =     =     OVER
checked:nothing       buyer    NOREQ pen   =     pen   pen   =     =     =     =     =     =
checked:nothing       provider =     pen   =     pen   pen   =     =     =     =     =     =
checked:nothing       clock    =     =     =     =     =     =     =     =     =     =     =
checked:nothing       admin    =     =     =     =     =     =     =     =     =     =     =
checked:unknown       buyer    =     =     =     =     =     =     =     =     =     =     =
checked:unknown       provider =     =     =     =     =     =     =     =     =     =     =
checked:unknown       clock    =     =     =     =     =     =     =     =     =     =     =
checked:unknown       admin    =     =     =     =     =     =     =     =     =     =     =
checked:failed        buyer    fai   fai   fai   fai   =     =     =     =     =     =     =
checked:failed        provider fai   fai   fai   fai   =     =     =     =     =     =     =
checked:failed        clock    fai   fai   fai   fai   =     =     =     =     =     =     =
checked:failed        admin    fai   fai   fai   fai   =     =     =     =     =     =     =
checked:part          buyer    pro   pro   pro   pro   pro   =     =     =     =     =     =
checked:part          provider pro   pro   pro   pro   pro   =     =     =     =     =     =
checked:part          clock    pro   pro   pro   pro   pro   =     =     =     =     =     =
checked:part          admin    pro   pro   pro   pro   pro   =     =     =     =     =     =
checked:full          buyer    con   con   con   con   con   =     =     =     =     =     =
checked:full          provider con   con   con   con   con   =     =     =     =     =     =
checked:full          clock    con   con   con   con   con   =     =     =     =     =     =
checked:full          admin    con   con   con   con   con   =     =     =     =     =     =
expire:early          clock    WOPEN WOPEN WOPEN WOPEN WOPEN OVER  OVER  OVER  OVER  OVER  OVER
expire:unknown        clock    UNKN  UNKN  UNKN  UNKN  UNKN  OVER  OVER  OVER  OVER  OVER  OVER
expire:over           clock    can   can   can   can   can   OVER  OVER  OVER  OVER  OVER  OVER
hand_over             seller   PAY1  PAY1  PAY1  PAY1  PAY1  con   OVER  OVER  OVER  OVER  OVER
take_goods            buyer    =     =     =     =     =     =     =     =     =     =     =
confirm               buyer    PAY1  PAY1  PAY1  PAY1  PAY1  exc   =     =     OPEN  =     OVER
confirm               seller   PAY1  PAY1  PAY1  PAY1  PAY1  BUY1  set   =     OVER  =     OVER
request_cancellation  buyer    PAY1  PAY1  PAY1  PAY1  PAY1  con   OVER  OVER  dis   OVER  OVER
request_cancellation  seller   PAY1  PAY1  PAY1  PAY1  PAY1  con   OVER  OVER  dis   OVER  OVER
decline_cancellation  buyer    PAY1  PAY1  PAY1  PAY1  PAY1  =     OVER  OVER  =     OVER  OVER
decline_cancellation  seller   PAY1  PAY1  PAY1  PAY1  PAY1  =     OVER  OVER  =     OVER  OVER
withdraw_cancellation buyer    PAY1  PAY1  PAY1  PAY1  PAY1  =     OVER  OVER  =     OVER  OVER
withdraw_cancellation seller   PAY1  PAY1  PAY1  PAY1  PAY1  =     OVER  OVER  =     OVER  OVER
open_dispute          buyer    PAY1  PAY1  PAY1  PAY1  PAY1  dis   dis   dis   =     OVER  OVER
open_dispute          seller   PAY1  PAY1  PAY1  PAY1  PAY1  dis   dis   dis   OPEN  OVER  OVER
withdraw_dispute      buyer    PAY1  PAY1  PAY1  PAY1  PAY1  OVER  OVER  OVER  con   OVER  OVER
withdraw_dispute      seller   PAY1  PAY1  PAY1  PAY1  PAY1  OVER  OVER  OVER  YOURS OVER  OVER
rule:release          admin    PAY1  PAY1  PAY1  PAY1  PAY1  OVER  OVER  OVER  set   OVER  OVER
rule:refund           admin    PAY1  PAY1  PAY1  PAY1  PAY1  OVER  OVER  OVER  can   OVER  OVER
rule:split            admin    PAY1  PAY1  PAY1  PAY1  PAY1  OVER  OVER  OVER  set   OVER  OVER
complete              admin    com   com   com   com   com   com   com   com   com   =     OVER
pay_seller            admin    PAY1  PAY1  PAY1  PAY1  PAY1  set   set   =     OVER  OVER  OVER
cancel                admin    can   can   can   can   can   can   can   can   can   SENT  OVER
money_left:some       admin    =     =     =     =     =     =     =     =     =     =     =
money_left:all        admin    =     =     =     =     =     =     =     com   =     =     =
hide                  admin    WAY   WAY   WAY   WAY   WAY   WAY   WAY   WAY   WAY   com   HELD`;

const everybody: Who[] = ["buyer", "seller", "admin", "clock", "provider"];
const words = (line: string) => line.trim().split(/\s+/);
const rows = table.trim().split("\n").slice(1).map(words);
const whoMay = new Map(
  actors
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [kind = "", ...cells] = words(line);
      return [kind, cells] as const;
    }),
);

/** The outcome of a decision in the notation of the table. */
function outcome(trade: Trade, command: Command, who: Who): string {
  const decision = decideCommand(trade, { ...command, who }, at);
  if (!decision.ok) {
    expect(decision.current).toBe(trade.status);
    return decision.code;
  }
  if (!decision.changed) {
    expect(decision.trade).toEqual(trade);
    return "=";
  }
  return decision.trade.status;
}

function expected(cell: string): string {
  return columns[cell] ?? refusals[cell] ?? cell;
}

describe("the state machine, as a table", () => {
  for (const [given, who, ...cells] of rows) {
    test(`${given} by ${who}`, () => {
      const { command, patch } = commands[given ?? ""] ?? { command: { kind: "hide" } };
      const found = tradeStatuses.map((_, i) => {
        const status = Object.values(columns)[i] as Status;
        const plain = tradeIn(status);
        return outcome({ ...plain, ...patch?.(plain) }, command, who as Who);
      });
      expect(found).toEqual(cells.map(expected));
    });
  }

  for (const [given, { command }] of Object.entries(commands)) {
    test(`${given} by anyone else, in every state`, () => {
      const cells = whoMay.get(command.kind) ?? [];
      expect(cells).toHaveLength(everybody.length);
      everybody.forEach((who, i) => {
        const cell = cells[i];
        expect(commandGivers[command.kind].may.includes(who)).toBe(cell === ".");
        if (cell === ".") return;
        for (const status of tradeStatuses) {
          expect([given, who, status, outcome(tradeIn(status), command, who)]).toEqual([
            given,
            who,
            status,
            cell ?? "",
          ]);
        }
      });
    });
  }

  test("covers every command, every actor who may give it, and every state", () => {
    const kinds = Object.keys(commandGivers) as CommandKind[];
    expect([...new Set(Object.values(commands).map(({ command }) => command.kind))].sort()).toEqual(
      kinds.sort(),
    );
    expect(Object.values(columns)).toHaveLength(tradeStatuses.length);
    expect(new Set(Object.values(columns))).toEqual(new Set(tradeStatuses));
    const wanted = Object.entries(commands).flatMap(([given, { command }]) =>
      commandGivers[command.kind].may.map((who) => `${given} ${who}`),
    );
    expect(rows.map(([given, who]) => `${given} ${who}`).sort()).toEqual(wanted.sort());
    for (const row of rows) expect(row).toHaveLength(2 + tradeStatuses.length);
  });
});
