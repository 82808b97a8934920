import { z } from "zod";
import { actorOf, goTo, postedForm, safeNextPath } from "#app/server/pages/page-context";
import { languageCookie, themeCookie, withoutLanguage } from "#app/server/pages/preference-cookies";
import { parseLanguage } from "#locales";
import { updateProfile } from "#modules/identity";
import { paths } from "../../paths.ts";
import type { Route } from "./+types/preferences.ts";

const themeSchema = z.enum(["light", "dark"]);

/**
 * Keeps language or theme in a cookie and goes back to the page the choice was made on. A signed-in person's language is
 * kept with them too, so that mails follow it.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const form = await postedForm(request);
  const headers = new Headers();
  const language = parseLanguage(String(form.get("language") ?? ""));
  const chosen = themeSchema.safeParse(form.get("theme"));
  if (language) {
    headers.append("Set-Cookie", languageCookie(language));
    // One who is not signed in, or must change the password first, is refused; the cookie holds all the same.
    await updateProfile(actorOf(context), { language });
  }
  if (chosen.success) headers.append("Set-Cookie", themeCookie(chosen.data));
  const back = safeNextPath(String(form.get("back") ?? ""), paths.landing);
  return goTo(withoutLanguage(back), undefined, headers);
}

export function loader() {
  return goTo(paths.landing);
}
