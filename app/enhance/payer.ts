import { startParts } from "./browser/browser-needs.ts";
import { startPaymentRecheck } from "./payment-recheck.ts";
import { startPushOffer } from "./push-offer.ts";
import { startSavePicture } from "./save-picture.ts";

/** What only a room's page needs of the enhancements: the room's script loads it, so that no other page carries it. */
export function startPayer(): void {
  startParts([startPaymentRecheck, startPushOffer, startSavePicture]);
}
