import { Elysia } from "elysia";
import { paths } from "../../paths.ts";

/** Where browsers find what they may fetch ahead (`Speculation-Rules`); no page holds a script, so none holds these either. */
export const speculationPath = "/speculation-rules.json";

/** Nobody's, and kept ready: worth fetching as soon as somebody points at the link. */
const publicPrefetchPaths = [
  paths.landing,
  paths.faq,
  paths.terms,
  paths.privacy,
  paths.securityGuide,
  paths.support,
];
/** A member's: only once the link is being pressed, for each is drawn from the database and paid for by the phone. */
const memberPrefetchPaths = [
  paths.chat,
  "/chat/:id(\\d+)",
  paths.history,
  "/transactions/:id(\\d+)",
  paths.profile,
  paths.settings,
];

/**
 * What reading changes nothing, in the way of https://wicg.github.io/nav-speculation/. Named are the pages that may be fetched
 * ahead, and none with a question in its address: an invite takes a seat, and exports and conversations at the desk are recorded.
 */
const speculationRules = {
  prefetch: [
    { where: { and: [{ href_matches: publicPrefetchPaths }, withoutQuery()] }, eagerness: "moderate" },
    { where: { and: [{ href_matches: memberPrefetchPaths }, withoutQuery()] }, eagerness: "conservative" },
  ],
};

function withoutQuery() {
  return { not: { href_matches: "/*\\?(.+)" } };
}

/** `/speculation-rules.json`. */
export const speculationRoutes = new Elysia({ name: "speculation" }).get(
  speculationPath,
  () =>
    new Response(JSON.stringify(speculationRules), {
      headers: {
        "Content-Type": "application/speculationrules+json",
        "Cache-Control": "public, max-age=3600",
      },
    }),
);
