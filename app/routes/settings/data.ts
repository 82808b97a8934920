import { goTo, memberOnly } from "#app/server/pages/page-context";
import { refusedToast } from "#app/server/pages/posted-forms";
import { day } from "#format";
import { dataOf } from "#modules/identity";
import { paths } from "../../paths.ts";
import type { Route } from "./+types/data.ts";
import { toConfirm } from "./fresh-login.ts";

/** All that is kept about who asks, as a file. It is posted for: no prefetch and no link of somebody else's fetches it. */
export async function action({ context, request }: Route.ActionArgs) {
  const asked = await dataOf(memberOnly(context, request));
  const back = `${paths.settings}#data`;
  if (!asked.ok) return asked.code === "REAUTH_REQUIRED" ? toConfirm(back) : goTo(back, refusedToast(asked));
  const { data } = asked;
  return new Response(JSON.stringify(data, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="midman-data-${day(data.generatedAt)}.json"`,
      "Cache-Control": "no-store",
    },
  });
}

export function loader() {
  return goTo(`${paths.settings}#data`);
}
