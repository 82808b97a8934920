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

/** The current version of a template: version 0 is the default, which nobody saved. */
export type TemplateVersion = {
  version: number;
  customizations: Customizations;
  savedBy: number | null;
  savedAt: Date | null;
};

/** The current customisations of a template. If today's rules refuse the stored ones, the defaults apply. */
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
    log().error({ template, version: row.version }, "a template's stored customisation cannot be read");
  const customizations = read.success ? read.data : defaultCustomizations;
  return { version: row.version, customizations, savedBy: row.userId, savedAt: row.savedAt };
}

/** The customisations of a real mail: the latest saved ones for a customisable template, otherwise the defaults. */
export async function readCustomizations(template: string): Promise<Customizations> {
  return isCustomizable(template)
    ? (await readTemplateVersion(template)).customizations
    : defaultCustomizations;
}

/**
 * Saves a template's customisations as a new version. The log gets its number and the names of the changed fields; the versions are kept
 * permanently. `seen` is the version that the form showed: refuses TEMPLATE_CHANGED, with the current version, if another was saved since.
 * Unchanged customisations make no version.
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
    // Another call that saw the same version saved first.
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
