import { roomLimits } from "../../constants.ts";

const codeAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const codeLength = roomLimits.inviteLength;

/** An invite code: ten base32 characters, 50 random bits. `random(count)` returns `count` bytes. */
export function newInviteCode(
  random = (count: number) => crypto.getRandomValues(new Uint8Array(count)),
): string {
  // 256 is a multiple of 32: every character is as likely as any other.
  return Array.from(random(codeLength), (byte) => codeAlphabet[byte % codeAlphabet.length]).join("");
}

/** The code in what a person typed or pasted: in any case and spacing, or in an invite link. */
export function parseInviteCode(typed: string): string | undefined {
  const linked = /(?:[?&]invite=|\/i\/)([^&#?/\s]+)/.exec(typed)?.[1];
  const code = (linked ?? typed).replace(/[\s-]/g, "").toUpperCase();
  return /^[A-Z2-7]{10}$/.test(code) ? code : undefined;
}
