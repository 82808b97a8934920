import type { Operation } from "./linearize.ts";
import type { Command } from "./model/commands.ts";
import type { Subject } from "./perform.ts";
import type { Given } from "./plan.ts";
import { shownFor } from "./shown.ts";
import type { World } from "./world.ts";

/** What the provider does by itself. */
export type FarEnd = Extract<Command, { do: "reverse" | "list" | "lose" }>;
export const isFarEnd = (command: Command): command is FarEnd =>
  ["reverse", "list", "lose"].includes(command.do);

/** The provider takes a payment back, lists one at last, or will lose its next reply: nothing but its own answers tells of that. */
export async function atTheFarEnd(
  { sql }: World,
  subject: Subject,
  { command, after }: Given & { command: FarEnd },
): Promise<Operation | null> {
  const shown = shownFor(command, subject.seen);
  const { row } = shown;
  if (row === null && command.do !== "lose") return null;
  if (after > 0) await Bun.sleep(after);
  const told = subject.rows.slice();
  const how = {
    ...{ fresh: true, halted: [false], sum: 0, part: 0, told, invoice: null, paid: [], paidFor: null },
    requestedAt: null,
  };
  const from = performance.now();
  if (command.do === "reverse") await sql`UPDATE sandbox.payments SET status = 'REFUNDED' WHERE id = ${row}`;
  else if (command.do === "list") await sql`UPDATE sandbox.payments SET listed = true WHERE id = ${row}`;
  else
    await sql`INSERT INTO sandbox.behaviours (operation, remaining, told) VALUES ('invoice', 1, '{"loseReply": true}')`;
  const to = performance.now();
  if (command.do === "reverse" && row !== null) subject.reversed.push(row);
  if (command.do === "list" && row !== null) subject.rows.push(row);
  const circumstances = { ...how, reversed: [], ...shown };
  return { command, how: circumstances, from, to, refused: null, says: "done", agrees: () => true };
}

export type Pay = Extract<Command, { do: "pay" }>;

/** The invoice that is paid, ours and as the provider knows it, and the one of the trade beside it that the list names. */
export type Paying = {
  invoice: string;
  at: string;
  names: { beside: Subject; invoice: string; providerId: string } | null;
};

/** What is paid by a command; null where there is nothing to pay. */
export async function payingFor({ sql }: World, subject: Subject, command: Pay): Promise<Paying | null> {
  const { invoices, id, beside } = subject;
  const invoice = command.old ? invoices[0] : invoices.at(-1);
  if (command.how === "twin") {
    const [lost] = await sql`
      SELECT p.invoice_id AS invoice, p.sender_invoice_no AS at FROM payments.provider_invoices p
      JOIN payments.invoices i ON i.id = p.invoice_id
      WHERE i.reference = ${id} AND p.state = 'lost' AND p.provider_id IS NULL ORDER BY p.id DESC LIMIT 1`;
    return lost === undefined ? null : { invoice: lost.invoice, at: lost.at, names: null };
  }
  // The one whose QR was shown: behind ours there may be another, whose creation reply was lost.
  const providerId = async (of: string): Promise<string | null> =>
    (await sql`SELECT provider_id AS id FROM payments.invoices WHERE id = ${of}`)[0]?.id ?? null;
  const at = invoice === undefined ? null : await providerId(invoice);
  if (invoice === undefined || at === null) return null;
  const other = command.how === "foreign" ? beside?.invoices.at(-1) : undefined;
  const named = other === undefined ? null : await providerId(other);
  if (other === undefined || named === null || beside === null) return { invoice, at, names: null };
  return { invoice, at, names: { beside, invoice: other, providerId: named } };
}
