import { paths } from "../../../app/paths.ts";
import { postForm } from "../pages/post-form.ts";
import { expectStatus } from "../people/registered-people.ts";
import type { Client, Reply } from "../server/http-client.ts";

/** The page of a payout as somebody looks at it, and the press by which they approve what it shows. */
export async function readPayoutPage(
  admin: Client,
  id: number,
): Promise<{ html: string; approve: () => Promise<Reply> }> {
  const at = paths.adminPayout(id);
  const html = expectStatus(await admin.get(at), 200).text;
  const [, destinationDigest = ""] = /name="destinationDigest" value="([^"]+)"/.exec(html) ?? [];
  return { html, approve: () => postForm(admin, at, { form: "approve", destinationDigest }) };
}

/** Looks at a payout and approves it at once. */
export async function approveOnPage(admin: Client, id: number): Promise<Reply> {
  const { approve } = await readPayoutPage(admin, id);
  return approve();
}
