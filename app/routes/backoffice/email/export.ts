import { templateNameIn } from "#app/routes/backoffice/email/template-actions";
import { notFound, requireAdministrator } from "#app/server/pages/page-context";
import { emailTemplate } from "#modules/identity";
import type { Route } from "./+types/export.ts";

/** Downloads a template's saved settings as a file. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const found = await emailTemplate(admin, templateNameIn(params.template));
  if (!found.ok) throw notFound("record");
  const { name, version, customizations } = found.template;
  return new Response(`${JSON.stringify({ templateType: name, version, customizations }, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="midman-email-${name}.json"`,
      "Cache-Control": "no-store",
    },
  });
}
