import { desc, eq } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client";
import { now } from "#db/clock";
import { log } from "#db/log";
import { type By, record } from "#modules/audit";
import { templateVersions } from "../core/schema.ts";
import {
  type Customizations,
  customizationsOf,
  type DressedName,
  isDressed,
  standard,
} from "./customizations.ts";

/** A template as it stands: version 0 is as by default, saved by nobody. */
export type Dressing = {
  version: number;
  customizations: Customizations;
  savedBy: number | null;
  savedAt: Date | null;
};

/** How a template is dressed now. What rules of today would refuse is not worn: the mail goes out as by default. */
export async function dressing(
  template: DressedName,
  from: Tx | ReturnType<typeof db> = db(),
): Promise<Dressing> {
  const [row] = await from
    .select()
    .from(templateVersions)
    .where(eq(templateVersions.template, template))
    .orderBy(desc(templateVersions.version))
    .limit(1);
  if (row === undefined) return { version: 0, customizations: standard, savedBy: null, savedAt: null };
  const read = customizationsOf(template).safeParse(row.customizations);
  if (!read.success)
    log().error({ template, version: row.version }, "a template's customisation is not understood");
  const customizations = read.success ? read.data : standard;
  return { version: row.version, customizations, savedBy: row.userId, savedAt: row.savedAt };
}

/** What a real mail wears: the latest that administrators saved, for the four that may be dressed. */
export async function wornBy(template: string): Promise<Customizations> {
  return isDressed(template) ? (await dressing(template)).customizations : standard;
}

/**
 * Saves how a template is dressed from now on, as a new version, in the log by number and by the names of what changed: the
 * versions themselves are kept for good. `seen` is the version that the form showed: TEMPLATE_CHANGED with the one that stands
 * when somebody saved another since. What changes nothing is no version.
 */
export async function customize(
  by: By & { userId: number },
  template: DressedName,
  customizations: Customizations,
  seen: number | undefined,
): Promise<
  | { ok: true; version: number }
  | { ok: false; code: "TEMPLATE_CHANGED"; params: { version: number }; current: { version: number } }
> {
  const at = now();
  return transaction(async (tx) => {
    const before = await dressing(template, tx);
    if (seen !== undefined && seen !== before.version) return overtaken(before.version);
    const changed = changedFields(before.customizations, customizations);
    if (changed.length === 0) return { ok: true, version: before.version };
    const version = before.version + 1;
    const kept = await tx
      .insert(templateVersions)
      .values({ template, version, customizations, userId: by.userId, savedAt: at })
      .onConflictDoNothing()
      .returning({ version: templateVersions.version });
    // Two saved what they saw as the same version, and the other's came first.
    if (kept.length === 0) return overtaken(version);
    await record(tx, {
      by,
      action: "mail_template_saved",
      at,
      subject: { kind: "mail_template", id: template },
      data: { before: before.version, after: version, changed: changed.join(",") },
    });
    return { ok: true, version };
  });
}

const overtaken = (version: number) =>
  ({ ok: false, code: "TEMPLATE_CHANGED", params: { version }, current: { version } }) as const;

function changedFields(before: Customizations, after: Customizations): string[] {
  return Object.keys(after).filter(
    (name) => before[name as keyof Customizations] !== after[name as keyof Customizations],
  );
}
