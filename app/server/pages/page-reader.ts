import type { Actor } from "#modules/identity";
import { isUpload } from "#modules/rooms";
import { shownToField } from "../../ui/forms/shown-to.ts";

/**
 * Whether a request posts a form of a page that was shown to another person than `actor`: the page's script names its reader in a header
 * (`actorOf` then says `isOther`), and each form names them in a field. A form with files names them in its address: its body may be
 * fifteen megabytes long, and is not kept twice. Any other body is read from a copy, so that it can still be read. A request that names
 * nobody is nobody else's: a program's, or that of a page shown to a visitor.
 */
export async function isAnothersForm(request: Request, actor: Actor): Promise<boolean> {
  if (request.method !== "POST") return false;
  if (actor.kind === "visitor") return actor.isOther === true;
  const named = isUpload(request) ? new URL(request.url).searchParams : await readPlainForm(request);
  return named.getAll(shownToField).some((id) => id !== String(actor.userId));
}

async function readPlainForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type);
  return new URLSearchParams(isForm ? await request.clone().text() : "");
}
