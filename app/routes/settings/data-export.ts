import { goTo, requireLeavingMember } from "#app/server/pages/page-context";
import { refusalToast } from "#app/server/pages/posted-forms";
import { formatDay } from "#format";
import { downloadPersonalData } from "#modules/identity";
import { paths } from "../../paths.ts";
import type { Route } from "./+types/data-export.ts";
import { redirectToConfirm } from "./fresh-login.ts";

/** Downloads all data stored about the person as a file. It takes a POST, so that no prefetch and no foreign link fetches it. */
export async function action({ context, request }: Route.ActionArgs) {
  const asked = await downloadPersonalData(requireLeavingMember(context, request));
  const back = `${paths.settings}#data`;
  if (!asked.ok)
    return asked.code === "REAUTH_REQUIRED" ? redirectToConfirm(back) : goTo(back, refusalToast(asked));
  const { data } = asked;
  return new Response(JSON.stringify(data, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="midman-data-${formatDay(data.generatedAt)}.json"`,
      "Cache-Control": "no-store",
    },
  });
}

export function loader() {
  return goTo(`${paths.settings}#data`);
}
