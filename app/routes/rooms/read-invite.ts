import type { Member } from "#modules/identity";
import { inviteToRoom } from "#modules/rooms";
import type { InviteShown } from "./types.ts";

/** A room's invite with the QR of its link; null for a person who is not a member. */
export async function readInvite(member: Member, roomId: number): Promise<InviteShown | null> {
  const found = await inviteToRoom(member, roomId);
  if (!found.ok) return null;
  const { inviteCode: code, inviteLink: link } = found;
  const { default: QRCode } = await import("qrcode");
  // Each module is a whole number of pixels, and the quiet zone is wide enough for a camera on a dark page.
  const qr = await QRCode.toDataURL(link, { errorCorrectionLevel: "M", margin: 3, scale: 4 });
  return { roomId, code, link, qr };
}
