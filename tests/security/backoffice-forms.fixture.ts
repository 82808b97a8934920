import { translateText } from "../../locales/index.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import type { Reply } from "../support/server/http-client.ts";

/** The forms of the desk's pages that ask for no fresh login, each with the reason. */
export const formsWithoutProof: Record<string, string> = {
  notify: "tells both parties how things stand",
  delete: "takes out of lists; refused while money is held",
  take: "says who looks at a case",
  "give-back": "says that nobody does",
  mediate: "speaks to both",
  reconcile: "compares",
  ask: "asks the provider, as a buyer may",
  "save-filter": "one's own list",
  "drop-filter": "one's own list",
  verify: "has the log verified",
  look: "draws",
  "/admin/disputes/:id/evidence": "reads, and is recorded",
  report: "stops money; moves none",
  test: "sends a trial mail to one address",
};

/** Every form of a page that is posted, as the fields that its page has filled in. */
export function formsOf(page: Reply): Array<{ to: string; fields: Record<string, string> }> {
  const found = [...page.text.matchAll(/<form([^>]*method="post"[^>]*)>(.*?)<\/form>/gs)];
  return found.map(([, tag = "", inside = ""]) => {
    const fields: Record<string, string> = {};
    for (const [input] of inside.matchAll(/<input[^>]*>|<button[^>]*name=[^>]*>/g)) {
      const name = /\bname="([^"]*)"/.exec(input)?.[1];
      if (name !== undefined) fields[name] = /\bvalue="([^"]*)"/.exec(input)?.[1] ?? "";
    }
    for (const [, name = ""] of inside.matchAll(/<select[^>]*\bname="([^"]*)"/g)) fields[name] = "";
    for (const [, name = ""] of inside.matchAll(/<textarea[^>]*\bname="([^"]*)"/g)) fields[name] = "";
    return { to: /\baction="([^"]*)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? "", fields };
  });
}

/**
 * True where a post was answered by the way to sign in: the login itself, or the form once more, with what was typed, the refusal and
 * a link to the login beside it.
 */
export function asksToSignIn(reply: Reply, typed: string[]): boolean {
  if (reply.status !== 403) return /^\/admin\/login\?next=/.test(reply.headers.get("location") ?? "");
  const refusal =
    /role="alert"[^>]*>(?:(?!<\/p>).)*<span[^>]*>([^<]*)<\/span><\/p><a href="\/admin\/login"/s.exec(
      reply.text,
    )?.[1] ?? "";
  const fields = reply.text.match(/<(?:input|select|textarea|option|button)[^>]*>[^<]*/g)?.join("\n") ?? "";
  return (
    visibleText(refusal) === translateText("en", "errors.REAUTH_REQUIRED") &&
    typed.every((value) => fields.includes(value))
  );
}

/** What a person would type into what the page leaves empty. */
export const typing: Record<string, string> = {
  ...{
    reason: "A reason",
    sum: "100000",
    bankReference: "TRF3",
    word: "HALT",
    confirmation: "",
    ruling: "refund",
  },
  ...{ amount: "110000", reference: "SLIP2", displayName: "Third One", note: "A note", words: "Words" },
  ...{ received: "990", cost: "10", outcome: "dismissed" },
  ...{
    kind: "limit",
    cause: "fraud",
    until: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
  },
};
