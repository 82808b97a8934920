import { Elysia } from "elysia";
import { paths } from "../../paths.ts";

/** The address of the rules, sent in the header `Speculation-Rules`, because pages contain no inline script. */
export const speculationPath = "/speculation-rules.json";

/** Public and cached: worth prefetching as soon as the pointer is over the link. */
const publicPrefetchPaths = [
  paths.landing,
  paths.faq,
  paths.terms,
  paths.privacy,
  paths.securityGuide,
  paths.support,
];
/** Members' pages: prefetched only when the link is being pressed, since each is read from the database and costs the phone data. */
const memberPrefetchPaths = [
  paths.chat,
  "/chat/:id(\\d+)",
  "/chat/:id(\\d+)/trade",
  paths.history,
  "/transactions/:id(\\d+)",
  paths.profile,
  paths.settings,
];

/**
 * Prefetch rules (https://wicg.github.io/nav-speculation/) for pages whose reading changes nothing. Addresses with a query are excluded,
 * because `?invite=` takes a seat; the back office is not listed, because exports and reading conversations are recorded there.
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
