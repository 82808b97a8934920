import { desc, eq } from "drizzle-orm";
import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { log } from "#db/log";
import { type AuditActor, recordAuditEntry } from "#modules/audit";
import { templateVersionsTable } from "../core/schema.ts";
import {
  type CustomizableTemplate,
  type Customizations,
  customizationsOf,
  defaultCustomizations,
  isCustomizable,
} from "./customizations.ts";

/** A template as it stands: version 0 is as by default, saved by nobody. */
export type TemplateVersion = {
  version: number;
  customizations: Customizations;
  savedBy: number | null;
  savedAt: Date | null;
};

/** How a template is dressed now. What rules of today would refuse is not worn: the mail goes out as by default. */
export async function readTemplateVersion(
  template: CustomizableTemplate,
  from: Tx | ReturnType<typeof db> = db(),
): Promise<TemplateVersion> {
  const [row] = await from
    .select()
    .from(templateVersionsTable)
    .where(eq(templateVersionsTable.template, template))
    .orderBy(desc(templateVersionsTable.version))
    .limit(1);
  if (row === undefined)
    return { version: 0, customizations: defaultCustomizations, savedBy: null, savedAt: null };
  const read = customizationsOf(template).safeParse(row.customizations);
  if (!read.success)
    log().error({ template, version: row.version }, "a template's customisation is not understood");
  const customizations = read.success ? read.data : defaultCustomizations;
  return { version: row.version, customizations, savedBy: row.userId, savedAt: row.savedAt };
}

/** What a real mail wears: the latest that administrators saved, for the four that may be dressed. */
export async function readCustomizations(template: string): Promise<Customizations> {
  return isCustomizable(template)
    ? (await readTemplateVersion(template)).customizations
    : defaultCustomizations;
}

/**
 * Saves how a template is dressed from now on, as a new version, in the log by number and by the names of what changed: the
 * versions themselves are kept for good. `seen` is the version that the form showed: TEMPLATE_CHANGED with the one that stands
 * when somebody saved another since. What changes nothing is no version.
 */
export async function saveCustomizations(
  by: AuditActor & { userId: number },
  template: CustomizableTemplate,
  customizations: Customizations,
  seen: number | undefined,
): Promise<
  | { ok: true; version: number }
  | { ok: false; code: "TEMPLATE_CHANGED"; params: { version: number }; current: { version: number } }
> {
  const at = currentTime();
  return runInTransaction(async (tx) => {
    const before = await readTemplateVersion(template, tx);
    if (seen !== undefined && seen !== before.version) return refuseOvertaken(before.version);
    const changed = changedFields(before.customizations, customizations);
    if (changed.length === 0) return { ok: true, version: before.version };
    const version = before.version + 1;
    const kept = await tx
      .insert(templateVersionsTable)
      .values({ template, version, customizations, userId: by.userId, savedAt: at })
      .onConflictDoNothing()
      .returning({ version: templateVersionsTable.version });
    // Two saved what they saw as the same version, and the other's came first.
    if (kept.length === 0) return refuseOvertaken(version);
    await recordAuditEntry(tx, {
      by,
      action: "mail_template_saved",
      at,
      subject: { kind: "mail_template", id: template },
      data: { before: before.version, after: version, changed: changed.join(",") },
    });
    return { ok: true, version };
  });
}

const refuseOvertaken = (version: number) =>
  ({ ok: false, code: "TEMPLATE_CHANGED", params: { version }, current: { version } }) as const;

function changedFields(before: Customizations, after: Customizations): string[] {
  return Object.keys(after).filter(
    (name) => before[name as keyof Customizations] !== after[name as keyof Customizations],
  );
}
