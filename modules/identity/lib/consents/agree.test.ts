import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { db } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { consentVersions } from "../../forms.ts";
import { actorBy, anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { requireAdmin, requireUser } from "../core/require-actor.ts";
import { consentsTable } from "../core/schema.ts";
import { agreeToDocuments, documentsToAgree } from "./agree.ts";
import { newestVersion, publishedVersions } from "./forms.ts";

useDatabase();

test("of several versions the last is in force, and each is newer than the one before it", () => {
  expect(newestVersion(["2026-11-27", "2027-02-01"])).toBe("2027-02-01");
  for (const versions of Object.values(publishedVersions))
    expect<readonly string[]>([...versions].toSorted()).toEqual(versions);
});

const firstVersion = "2025-05-12";

/** Has a person agreed to exactly these versions, and returns them as they now come with their session. */
async function agreedTo(
  person: { id: number; token: string },
  versions: Partial<Record<"terms" | "privacy", string>>,
) {
  await ownerDatabase().delete(consentsTable).where(eq(consentsTable.userId, person.id));
  for (const document of ["terms", "privacy"] as const) {
    const version = versions[document];
    if (version === undefined) continue;
    await db()
      .insert(consentsTable)
      .values({ userId: person.id, document, version, consentedAt: new Date() });
  }
  return actorBy(person.token);
}

async function versionsOf(userId: number) {
  const rows = await db().select().from(consentsTable).where(eq(consentsTable.userId, userId));
  return rows.map(({ document, version }) => `${document} ${version}`).toSorted();
}

async function entriesOf(userId: number) {
  const rows = await db().execute<{ data: unknown }>(
    sql`SELECT data FROM audit.entries WHERE action = 'documents_agreed' AND user_id = ${userId} ORDER BY id`,
  );
  return rows.map(({ data }) => data);
}

test("somebody who signed up under the documents in force is not asked", async () => {
  const { id, actor } = await someone();
  expect(requireUser(actor).ok).toBe(true);
  expect(await documentsToAgree(actor)).toBeUndefined();
  expect(await agreeToDocuments(actor, consentVersions)).toEqual({ ok: true });
  expect(await entriesOf(id)).toEqual([]);
});

test("an earlier version is not enough; agreeing records the version in force once, also when pressed twice", async () => {
  const person = await someone();
  const actor = await agreedTo(person, { terms: firstVersion, privacy: firstVersion });
  expect(requireUser(actor)).toEqual({ ok: false, code: "CONSENT_REQUIRED" });
  expect(await documentsToAgree(actor)).toEqual({
    terms: [...publishedVersions.terms],
    privacy: [...publishedVersions.privacy],
  });
  const pressed = [agreeToDocuments(actor, consentVersions), agreeToDocuments(actor, consentVersions)];
  expect(await Promise.all(pressed)).toEqual([{ ok: true }, { ok: true }]);
  expect(await versionsOf(person.id)).toEqual([
    `privacy ${firstVersion}`,
    `privacy ${consentVersions.privacy}`,
    `terms ${firstVersion}`,
    `terms ${consentVersions.terms}`,
  ]);
  expect(await entriesOf(person.id)).toEqual([{ consents: { ...consentVersions } }]);
  expect(requireUser(await actorBy(person.token)).ok).toBe(true);
});

test("only the document that changed is asked for, and a later version than ours counts", async () => {
  const person = await someone();
  const actor = await agreedTo(person, { terms: firstVersion, privacy: "2999-01-01" });
  expect(await documentsToAgree(actor)).toEqual({ terms: [consentVersions.terms], privacy: null });
  expect(await agreeToDocuments(actor, consentVersions)).toEqual({ ok: true });
  expect(await versionsOf(person.id)).toEqual([
    "privacy 2999-01-01",
    `terms ${firstVersion}`,
    `terms ${consentVersions.terms}`,
  ]);
});

test("an administrator who never agreed is asked, with no list of changes", async () => {
  const admin = await anAdmin();
  const actor = await agreedTo(admin, {});
  expect(requireAdmin(actor)).toEqual({ ok: false, code: "CONSENT_REQUIRED" });
  expect(await documentsToAgree(actor)).toEqual({ terms: [], privacy: [] });
  await agreeToDocuments(actor, consentVersions);
  expect(requireAdmin(await actorBy(admin.token)).ok).toBe(true);
});

test("a visitor has nothing to agree to, a password or a name comes first, and an ended session agrees to nothing", async () => {
  expect(await agreeToDocuments(visitor(), consentVersions)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  const person = await someone();
  const actor = await agreedTo(person, { terms: firstVersion });
  for (const [must, code] of [
    [{ mustChangePassword: true }, "PASSWORD_CHANGE_REQUIRED"],
    [{ mustChooseName: true }, "NAME_CHANGE_REQUIRED"],
    [{ sessionId: actor.sessionId + 1_000_000 }, "AUTH_REQUIRED"],
  ] as const)
    expect(await agreeToDocuments({ ...actor, ...must }, consentVersions)).toEqual({ ok: false, code });
  expect(await versionsOf(person.id)).toEqual([`terms ${firstVersion}`]);
});
