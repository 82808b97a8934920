import { Elysia } from "elysia";
import { translateText } from "#locales";
import { originOf } from "#modules/identity";
import { paths } from "../../paths.ts";
import { pageColor, themeColors } from "../../ui/frame/theme-colors.ts";

const manifestIcon = (file: string, size: number, purpose: "any" | "maskable") => ({
  ...{ src: `/${file}`, sizes: `${size}x${size}`, type: "image/png", purpose },
});

/**
 * `/manifest.webmanifest?lang=…`: makes Midman installable on a phone's home screen. A browser requests it without cookies, so the language
 * is in its address; `id` keeps it one app in every language.
 */
export const manifestRoutes = new Elysia({ name: "manifest" }).get("/manifest.webmanifest", ({ request }) => {
  const { language } = originOf(request);
  const told = {
    id: "/",
    name: translateText(language, "app.name"),
    short_name: translateText(language, "brand"),
    description: translateText(language, "app.description"),
    lang: language,
    dir: "ltr",
    start_url: paths.chat,
    scope: "/",
    display: "standalone",
    theme_color: themeColors.light,
    background_color: pageColor,
    icons: [
      manifestIcon("icon-192.png", 192, "any"),
      manifestIcon("icon-512.png", 512, "any"),
      manifestIcon("icon-maskable-512.png", 512, "maskable"),
    ],
  };
  return new Response(JSON.stringify(told), {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": "public, max-age=3600" },
  });
});
