import { actorOf, goTo, notFound, postedForm, requireMember } from "#app/server/pages/page-context";
import { currentTime } from "#db/clock";
import { formatLongDay } from "#format";
import { getTranslator } from "#locales";
import { paths } from "../../paths.ts";
import type { Route } from "./+types/recovery-codes-file.ts";

/** Ten recovery codes, each six groups of four; nothing else is written into a file. */
const tenCodesPattern = /^(?:[A-Z2-7]{4}(?:-[A-Z2-7]{4}){5} ){9}[A-Z2-7]{4}(?:-[A-Z2-7]{4}){5}$/;

/** Downloads the recovery codes that the page shows. The page posts them, since they are stored nowhere. */
export async function action({ context, request }: Route.ActionArgs) {
  const { username } = requireMember(context, request);
  const codes = (await postedForm(request)).get("codes");
  if (typeof codes !== "string" || !tenCodesPattern.test(codes)) throw notFound("form");
  const { language } = actorOf(context);
  const t = getTranslator(language);
  const head = t("settings.codes.file", { username, date: formatLongDay(currentTime(), language) });
  return new Response(`${[head, "", ...codes.split(" ")].join("\r\n")}\r\n`, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="midman-recovery-codes.txt"',
      "Cache-Control": "no-store",
    },
  });
}

export function loader() {
  return goTo(`${paths.settings}#factor`);
}
