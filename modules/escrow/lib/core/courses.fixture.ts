import { declineOpenRequest } from "../../../../tests/support/trades/cancellation-requests.ts";
import type { PlantedTrade } from "../../../../tests/support/trades/sandbox-trades.ts";

/** What the two parties of a course share, and the reason that an administrator gives. */
export const home = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};
export const contact = {
  infoType: "buyer",
  accountName: "Dorj",
  phoneNumber: "+97695112233",
  email: "dorj@example.mn",
} as const;
export const theirs = {
  infoType: "seller",
  ...{ accountName: "Saran", bankName: "Khan Bank", accountNumber: "5012345678" },
  ...{ ibanNumber: "MN140005005012345678", phoneNumber: "+97699112233", email: "saran@example.mn" },
} as const;
export const reason = "the account was taken back";

type DeclineStep = [name: string, minutes: number, run: (deal: PlantedTrade) => Promise<unknown>];
export const declineCancel = (side: "buyer" | "seller"): DeclineStep => [
  `the ${side} declines`,
  5,
  (deal) => declineOpenRequest(deal, side),
];
