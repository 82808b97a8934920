/**
 * One key for every form in which the provider sends a payment's id: digits with or without leading zeros, a UUID in either case and with
 * or without its dashes. The database function `payments.payment_key` computes the same key.
 */
export function paymentKey(id: string): string {
  if (/^\d+$/.test(id)) return id.replace(/^0+(?=\d)/, "");
  return /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(id)
    ? id.replaceAll("-", "").toLowerCase()
    : id;
}
