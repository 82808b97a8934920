import { z } from "zod";
import { goTo, postedForm, safeNext } from "#app/http/pages";
import { asLanguage } from "#locales";
import type { Route } from "./+types/preferences.ts";

const year = 31_536_000;
const theme = z.enum(["light", "dark"]);

/** Keeps language or theme in a cookie and goes back to the page the choice was made on. */
export async function action({ request }: Route.ActionArgs) {
  const form = await postedForm(request);
  const headers = new Headers();
  const language = asLanguage(String(form.get("language") ?? ""));
  const chosen = theme.safeParse(form.get("theme"));
  if (language) headers.append("Set-Cookie", kept("midman-language", language));
  if (chosen.success) headers.append("Set-Cookie", kept("midman-theme", chosen.data));
  return goTo(safeNext(String(form.get("back") ?? ""), "/"), undefined, headers);
}

export function loader() {
  return goTo("/");
}

function kept(name: string, value: string): string {
  return `${name}=${value}; Path=/; Max-Age=${year}; SameSite=Lax`;
}
