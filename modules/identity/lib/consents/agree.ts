import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { holdMember } from "../sessions/sessions.ts";
import { type AgreeInput, type ConsentDocument, consentVersions, publishedVersions } from "./forms.ts";
import { agreedVersions, outdatedDocuments, recordConsents } from "./stored-consents.ts";

/**
 * For each document the versions published since the one that was agreed to; null if the version in force was agreed to. The list is empty
 * for somebody who never agreed to any version, such as an administrator whom the operator created.
 */
export type DocumentsToAgree = {
  [Of in ConsentDocument]: Array<(typeof publishedVersions)[Of][number]> | null;
};

type NotYet = {
  ok: false;
  code: "AUTH_REQUIRED" | "PASSWORD_CHANGE_REQUIRED" | "NAME_CHANGE_REQUIRED";
};

/** The documents that the actor must agree to before anything else opens; undefined if there are none. */
export async function documentsToAgree(actor: Actor): Promise<DocumentsToAgree | undefined> {
  if (actor.kind !== "user" || !actor.mustAgree) return undefined;
  const agreed = await agreedVersions(db(), actor.userId);
  const outdated = outdatedDocuments(agreed);
  // The person may have agreed in another tab since their session was read.
  if (outdated.length === 0) return undefined;
  const changesOf = <Of extends ConsentDocument>(document: Of) => {
    const versions: ReadonlyArray<(typeof publishedVersions)[Of][number]> = publishedVersions[document];
    const from = agreed[document];
    if (!outdated.includes(document)) return null;
    return from === null ? [] : versions.filter((version) => version > from);
  };
  return { terms: changesOf("terms"), privacy: changesOf("privacy") };
}

/**
 * Records that the actor agrees to the documents in force; `agreeInput` has refused any other version that was shown. Repeating it changes
 * nothing and records nothing. Refuses PASSWORD_CHANGE_REQUIRED and NAME_CHANGE_REQUIRED, because those steps come first.
 */
export async function agreeToDocuments(actor: Actor, _shown: AgreeInput): Promise<{ ok: true } | NotYet> {
  if (actor.kind !== "user") return { ok: false, code: "AUTH_REQUIRED" };
  if (actor.mustChangePassword) return { ok: false, code: "PASSWORD_CHANGE_REQUIRED" };
  if (actor.mustChooseName) return { ok: false, code: "NAME_CHANGE_REQUIRED" };
  const at = currentTime();
  return runInTransaction(async (tx) => {
    // The person's row is locked: of two presses at the same time the second finds nothing left to record.
    const user = await holdMember(tx, actor);
    if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    const missing = outdatedDocuments(await agreedVersions(tx, user.id));
    if (missing.length === 0) return { ok: true };
    await recordConsents(tx, user.id, missing, at);
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "documents_agreed",
      at,
      subject: { kind: "user", id: user.id },
      data: {
        consents: Object.fromEntries(missing.map((document) => [document, consentVersions[document]])),
      },
    });
    return { ok: true };
  });
}
