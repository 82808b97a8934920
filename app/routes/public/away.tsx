import { data, useLoaderData } from "react-router";
import { actorOf } from "#app/server/pages/page-context";
import { destinationOf } from "#app/server/texts/away-links";
import { getTranslator } from "#locales";
import { paths } from "../../paths.ts";
import { Page } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/away.ts";
import { LeavingPage, NoDestination } from "./away/leaving-page.tsx";

/**
 * Where every outside link of a member leads: the page shows what is known about the address and leaves the step to the reader. It never
 * redirects, whatever the request.
 */
export function loader({ context, request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const actor = actorOf(context);
  const t = getTranslator(actor.language);
  const to = destinationOf(query.get("to")) ?? null;
  const back = actor.kind === "visitor" ? paths.landing : backTo(query.get("room"));
  const title = t(to === null ? "away.badTitle" : "away.title");
  return data({ title, to, back }, { status: to === null ? 400 : 200 });
}

function backTo(room: string | null): string {
  return room !== null && /^[1-9]\d{0,14}$/.test(room) ? paths.room(Number(room)) : paths.chat;
}

/** The opened site must not learn where the reader came from. */
export const headers = () => ({ "Referrer-Policy": "no-referrer" });

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Away() {
  const { to, back } = useLoaderData<typeof loader>();
  return (
    <Page width="text">
      {to === null ? <NoDestination back={back} /> : <LeavingPage to={to} back={back} />}
    </Page>
  );
}
