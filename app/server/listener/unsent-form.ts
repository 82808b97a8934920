import type { UnsentForm } from "../../ui/frame/page-status-card.tsx";
import { secretFields } from "../pages/posted-forms.ts";

/** A longer form is sent again by the browser's own reload: its fields would make a page that a phone loads slowly. */
const longestUnsentForm = 64 * 1024;

/**
 * Keeps a posted form for the case that it is not begun; to be called before its body is read. Answers what reads its fields:
 * undefined where no form was posted, null where it holds a secret or a file, which travel back in no page.
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
