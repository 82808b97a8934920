import { z } from "zod";
import { actorOf, goTo, postedForm, safeNextPath } from "#app/server/pages/page-context";
import { languageCookie, themeCookie, withoutLanguage } from "#app/server/pages/preference-cookies";
import { parseLanguage } from "#locales";
import { updateProfile } from "#modules/identity";
import { paths } from "../../paths.ts";
import type { Route } from "./+types/preferences.ts";

const themeSchema = z.enum(["light", "dark"]);

/**
 * Saves language or theme in a cookie and returns to the page where it was chosen. A signed-in person's language is also saved in their
 * profile, so that emails use it.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const form = await postedForm(request);
  const headers = new Headers();
  const language = parseLanguage(String(form.get("language") ?? ""));
  const chosen = themeSchema.safeParse(form.get("theme"));
  if (language) {
    headers.append("Set-Cookie", languageCookie(language));
    // Refused for a visitor, and for a person who must change their password first; the cookie is set anyway.
    await updateProfile(actorOf(context), { language });
  }
  if (chosen.success) headers.append("Set-Cookie", themeCookie(chosen.data));
  const back = safeNextPath(String(form.get("back") ?? ""), paths.landing);
  return goTo(withoutLanguage(back), undefined, headers);
}

export function loader() {
  return goTo(paths.landing);
}
