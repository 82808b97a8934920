import { expect, test } from "bun:test";
import { readCatalogTexts } from "../../../../tests/support/sources/catalog-texts.ts";
import { findAskingCodes } from "./asking-codes.ts";

type AskingTrade = NonNullable<Parameters<typeof findAskingCodes>[0]>;

const paid: AskingTrade = {
  status: "payment_confirmed",
  standing: { money: "held" } as AskingTrade["standing"],
  handedOver: false,
  over: false,
  heldForChecking: false,
  tradeChecked: false,
  refund: null,
  unavailable: [],
  can: { withdrawCancellation: false, declineCancellation: false } as AskingTrade["can"],
};
const asksOf = (patch: Partial<AskingTrade>, role: "buyer" | "seller" = "buyer") =>
  findAskingCodes({ ...paid, ...patch }, role).split(" ");

test("an instruction applies only in the state that asks for it", () => {
  expect(findAskingCodes(null, "buyer")).toBe("");
  const unpaid = asksOf({
    status: "payment_pending",
    standing: { money: "waiting" } as AskingTrade["standing"],
  });
  expect(unpaid).toContain("markedPaid");
  expect(asksOf({})).not.toContain("markedPaid");
  expect(asksOf({ handedOver: true })).toContain("handedOver");
  expect(asksOf({ status: "exchange_completed", handedOver: true })).not.toContain("handedOver");
  expect(asksOf({ status: "exchange_completed" })).toContain("buyerConfirmed");
  expect(asksOf({ status: "disputed" })).toContain("disputeOpenedBySeller");
  expect(asksOf({ heldForChecking: true })).toContain("paymentOnHold");
  expect(asksOf({})).not.toContain("paymentOnHold");
  expect(asksOf({ over: true, status: "completed" })).not.toContain("sellerConfirmed");
});

test("a request to cancel asks while it is open, whoever reads", () => {
  const answer = { ...paid.can, declineCancellation: true };
  const withdraw = { ...paid.can, withdrawCancellation: true };
  expect(asksOf({ can: answer }, "seller")).toContain("cancelAskedByBuyer");
  expect(asksOf({ can: withdraw }, "buyer")).toContain("cancelAskedByBuyer");
  expect(asksOf({ can: withdraw }, "buyer")).not.toContain("cancelAskedBySeller");
  expect(asksOf({})).not.toContain("cancelAskedByBuyer");
});

test("a person who cannot answer is asked about until they are back, each for themselves", () => {
  expect(asksOf({ unavailable: ["seller"] })).toContain("sellerAway");
  expect(asksOf({ unavailable: ["seller"] })).not.toContain("buyerAway");
  expect(asksOf({})).not.toContain("sellerAway");
  const unpaid = { standing: { money: "waiting" } as AskingTrade["standing"] };
  expect(asksOf({ ...unpaid, unavailable: ["buyer"] })).toContain("buyerAwayUnpaid");
  expect(asksOf({ ...unpaid, unavailable: ["buyer"] })).not.toContain("buyerAway");
  expect(asksOf(unpaid)).not.toContain("buyerAwayUnpaid");
  expect(asksOf({ unavailable: ["seller"], over: true, status: "completed" })).not.toContain("sellerAway");
});

test("every notice that asks for something says while what it applies, and the other way round", () => {
  // Each of these states of a trade lets other notices ask.
  const refund = { sent: false } as AskingTrade["refund"];
  const unavailable: AskingTrade["unavailable"] = ["buyer", "seller"];
  const all = new Set(
    [
      ...asksOf({ standing: { money: "waiting" } as AskingTrade["standing"], refund, unavailable }),
      ...asksOf({ unavailable, handedOver: true, heldForChecking: true, tradeChecked: true }),
      ...["exchange_completed", "settlement_pending", "disputed"].flatMap((status) => asksOf({ status })),
      ...(["buyer", "seller"] as const).flatMap((role) =>
        asksOf({ can: { ...paid.can, withdrawCancellation: true } }, role),
      ),
    ].filter((code) => code !== ""),
  );
  for (const language of ["en", "mn"] as const) {
    const asking = readCatalogTexts(language)
      .filter(({ key, text }) => key.startsWith("notices.") && text.includes("\n"))
      .map(({ key }) => key.slice("notices.".length));
    // The confirmed payment follows the state of the handover.
    expect([...all, "paymentConfirmed"].sort()).toEqual(asking.sort());
  }
});
