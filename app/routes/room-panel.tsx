import { renderToString } from "react-dom/server";
import { idIn, memberOnly, notFound } from "#app/http/pages";
import { panelOf } from "#app/http/room-view";
import { translator } from "#locales";
import { Translated } from "../components/i18n.tsx";
import { RoomBar } from "../components/room/bar.tsx";
import { Seats } from "../components/room/seats.tsx";
import { TradePanel } from "../components/trade/panel.tsx";
import { TradeStanding } from "../components/trade/standing.tsx";
import type { Route } from "./+types/room-panel.ts";

/** The parts of the page that show the trade and its people, as HTML: what the room's island puts in place when the trade has moved on. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = memberOnly(context, request);
  const found = await panelOf(member, idIn(params.id));
  if (!found.ok) throw notFound();
  const html = renderToString(
    <Translated t={translator(member.language)} language={member.language}>
      <div data-part="room-bar">
        <RoomBar {...found.panel} />
      </div>
      {/* Somebody has come: the invite that the page shows in an empty room has done its work. */}
      {found.room.participants.length > 1 && <div data-part="room-invite" />}
      <div data-part="trade-standing">
        <TradeStanding {...found.panel} posted={null} />
      </div>
      <div data-part="room-seats">
        <Seats {...found.panel} />
      </div>
      <div data-part="trade-panel">
        <TradePanel {...found.panel} posted={null} />
      </div>
    </Translated>,
  );
  return new Response(html, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
  });
}
