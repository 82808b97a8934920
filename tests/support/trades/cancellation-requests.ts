import { declineCancellation, readTrade } from "#modules/escrow";
import { expectAccepted, type PlantedTrade } from "./sandbox-trades.ts";

type Party = "buyer" | "seller";

/** A time at which nobody asked to cancel. */
export const neverRequested = "2026-01-01T00:00:00.000Z";

/** The time of the other party's open request to cancel, as the party's page has it; null if there is none. */
export async function readOpenRequest(deal: PlantedTrade, party: Party): Promise<string | null> {
  const { trade } = await expectAccepted(readTrade(deal[party], deal.id));
  return trade.cancellationRequests[party === "buyer" ? "seller" : "buyer"];
}

/** The party declines the request that its page shows now. */
export async function declineOpenRequest(deal: PlantedTrade, party: Party) {
  const requestedAt = (await readOpenRequest(deal, party)) ?? neverRequested;
  return expectAccepted(declineCancellation(deal[party], deal.id, { requestedAt }));
}
