import type { UnsentForm } from "../../ui/frame/page-status-card.tsx";
import { secretFields } from "../pages/posted-forms.ts";

/** A longer form is sent again by the browser's own reload: a page with all its fields would load slowly on a phone. */
const longestUnsentForm = 64 * 1024;

/**
 * Keeps a posted form in case it is not processed; call it before the body is read. Returns a function that reads its fields: undefined if
 * no form was posted, null if it has a secret or a file, which are never sent back in a page, or is too long.
 */
export function keepUnsentForm(request: Request): () => Promise<UnsentForm | undefined> {
  if (request.method !== "POST") return async () => undefined;
  const type = request.headers.get("content-type") ?? "";
  const length = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (!type.startsWith("application/x-www-form-urlencoded") || length > longestUnsentForm)
    return async () => null;
  const kept = request.clone();
  return async () => {
    const fields = [...new URLSearchParams(await kept.text())];
    const isSecret = ([name]: [string, string]) => secretFields.includes(name) || /password/i.test(name);
    return fields.some(isSecret) ? null : fields;
  };
}
