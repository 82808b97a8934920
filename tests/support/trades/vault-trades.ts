import { openVault, sealVault } from "#modules/escrow";
import { createPaidTrade, expectAccepted, type PlantedTrade } from "./sandbox-trades.ts";

/** For tests: everything that can be sealed, each part unmistakable. */
export const vaultCredentials = {
  login: "golden-eagle-login",
  password: "  spaces belong to it  ",
  email: "golden.eagle@example.mn",
  emailPassword: "a mailbox word 77",
  recoveryNotes: "recovery-1111\nrecovery-2222",
  notes: "the answer is Khangai",
};

/** A paid trade with its hand-over sealed. */
export async function createSealedTrade(): Promise<PlantedTrade> {
  const deal = await createPaidTrade();
  await expectAccepted(sealVault(deal.seller, deal.id, vaultCredentials));
  return deal;
}

/** The same, opened by the buyer. */
export async function createOpenedTrade(): Promise<PlantedTrade> {
  const deal = await createSealedTrade();
  await expectAccepted(openVault(deal.buyer, deal.id));
  return deal;
}
