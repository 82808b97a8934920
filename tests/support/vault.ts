import { openVault, sealVault } from "#modules/escrow";
import { type Deal, must, paid } from "./market.ts";

/** For tests: everything that can be sealed, each part unmistakable. */
export const credentials = {
  login: "golden-eagle-login",
  password: "  spaces belong to it  ",
  email: "golden.eagle@example.mn",
  emailPassword: "a mailbox word 77",
  recoveryNotes: "recovery-1111\nrecovery-2222",
  notes: "the answer is Khangai",
};

/** A paid trade with its hand-over sealed. */
export async function sealed(): Promise<Deal> {
  const deal = await paid();
  await must(sealVault(deal.seller, deal.id, credentials));
  return deal;
}

/** The same, opened by the buyer. */
export async function opened(): Promise<Deal> {
  const deal = await sealed();
  await must(openVault(deal.buyer, deal.id));
  return deal;
}
