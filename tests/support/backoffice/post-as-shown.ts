import { postForm } from "../pages/post-form.ts";
import type { Client, Reply } from "../server/http-client.ts";

// As our own pages do: who approves, sends or settles names the account they were shown, and who rules confirms what they were warned of.

type ListedPayout = { id: number; state: string; kind: string; source: string; destinationDigest: string };

async function fetchPayouts(who: Client, path: string, key: string): Promise<ListedPayout[]> {
  const { status, body } = await who.get(path);
  return status === 200 ? ((body as unknown as Record<string, ListedPayout[]>)[key] ?? []) : [];
}

/** The mark of a payout's account, or of what a settlement of a trade would pay; "" where there is none. */
async function digestFor(who: Client, path: string): Promise<string> {
  const [, kind, id] = /(payouts|transactions)\/(\d+)/.exec(path) ?? [];
  if (kind === "payouts") {
    const { text } = await who.get(`/admin/payouts/${id}`);
    const [at = ""] = /\/admin\/transactions\/\d+/.exec(text) ?? [];
    const all = at === "" ? [] : await fetchPayouts(who, `/api${at}`, "payouts");
    return all.find((one) => one.id === Number(id))?.destinationDigest ?? "";
  }
  const all = await fetchPayouts(who, `/api/admin/transactions/${id}`, "payouts");
  const own = all.filter(({ source, state }) => source === "escrow" && state !== "void");
  const due = own.sort((a, b) => a.kind.localeCompare(b.kind));
  return (
    (due.find(({ state }) => state === "due" || state === "approved") ?? due.at(-1))?.destinationDigest ?? ""
  );
}

/** A call of an administrator, with what its page would have said beside it. */
export async function postAsShown(who: Client, path: string, body?: unknown): Promise<Reply> {
  if (path.endsWith("/rule")) return who.post(path, { warningsConfirmed: true, ...(body as object) });
  if (!/\/(approve|send|settle)$/.test(path)) return who.post(path, body);
  const destinationDigest = await digestFor(who, path);
  const shown = destinationDigest === "" ? {} : { destinationDigest };
  return who.post(path, { ...shown, ...(body as object | undefined) });
}

/** A form of the page of a payout, with the account that the page shows. */
export async function postFormAsShown(
  who: Client,
  path: string,
  fields: Record<string, string> = {},
): Promise<Reply> {
  if (fields.form !== "send") return postForm(who, path, fields);
  const destinationDigest = await digestFor(who, path);
  return postForm(who, path, { destinationDigest, ...fields });
}
