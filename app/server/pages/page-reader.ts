import { isUpload } from "#modules/rooms";
import { shownToField } from "../../ui/forms/shown-to.ts";

/**
 * Whether a posted form names a person other than `userId` as the one to whom its page was shown. Reads a copy, so that the body can still
 * be read. A form with files names the person in its address: its body may be fifteen megabytes long, and is not kept twice. A request that
 * names nobody is nobody else's: a program's, or that of a page shown to a visitor.
 */
export async function isShownToAnother(request: Request, userId: number): Promise<boolean> {
  const named = isUpload(request) ? new URL(request.url).searchParams : await readPlainForm(request);
  return named.getAll(shownToField).some((id) => id !== String(userId));
}

async function readPlainForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type);
  return new URLSearchParams(isForm ? await request.clone().text() : "");
}
