import { renderToString } from "react-dom/server";
import { panelOf } from "#app/routes/room/room-view";
import { idIn, memberOnly, notFound } from "#app/server/pages/page-context";
import { translator } from "#locales";
import { Translated } from "../../ui/frame/i18n.tsx";
import type { Route } from "./+types/panel.ts";
import { RoomBar } from "./bar.tsx";
import { Seats } from "./seats.tsx";
import { TradePanel } from "./trade/panel.tsx";
import { TradeStanding } from "./trade/progress.tsx";

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
