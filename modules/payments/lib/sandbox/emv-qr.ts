/** One field of EMVCo's merchant-presented QR code: two digits of id, two of length, then the value (ASCII, at most 99 characters). */
function formatEmvField(id: string, value: string): string {
  const fitting = value.replace(/[^\x20-\x7e]/g, "?").slice(0, 99);
  return `${id}${String(fitting.length).padStart(2, "0")}${fitting}`;
}

/**
 * The text of a QR code that asks for `amount` ₮ (`"100.00"`), by EMVCo's rules: dynamic (01 = 12), currency 496, country MN, the label in
 * the additional data (62), and a checksum over everything before it and its own id and length.
 */
export function emvText({ amount, label, bill }: { amount: string; label: string; bill: string }): string {
  const merchant = formatEmvField("00", "mn.midman.sandbox") + formatEmvField("01", label);
  const text =
    formatEmvField("00", "01") +
    formatEmvField("01", "12") +
    formatEmvField("26", merchant) +
    formatEmvField("52", "7399") +
    formatEmvField("53", "496") +
    formatEmvField("54", amount.replace(/\.0+$/, "")) +
    formatEmvField("58", "MN") +
    formatEmvField("59", "MIDMAN SANDBOX") +
    formatEmvField("60", "ULAANBAATAR") +
    formatEmvField("62", formatEmvField("01", bill.slice(0, 25)) + formatEmvField("05", label.slice(0, 25)));
  return `${text}6304${computeChecksum(`${text}6304`)}`;
}

/** CRC16/CCITT-FALSE as four capital hexadecimal digits. */
export function computeChecksum(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}
