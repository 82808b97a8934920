import { renderToString } from "react-dom/server";
import { panelOf } from "#app/routes/room/room-view";
import { notFound, parseId, requireMember } from "#app/server/pages/page-context";
import { getTranslator } from "#locales";
import { TranslationProvider } from "../../ui/frame/i18n.tsx";
import type { Route } from "./+types/panel.ts";
import { RoomBar } from "./bar/room-bar.tsx";
import { RoomStrip } from "./bar/room-strip.tsx";
import { Seats } from "./seats/seats.tsx";
import { TradeEndings } from "./sheet/trade-endings.tsx";
import { TradePanel } from "./sheet/trade-panel.tsx";

/** The parts of the page that show the trade and its parties, as HTML: the room's island fetches them when the trade has moved on. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const found = await panelOf(member, parseId(params.id, "room"));
  if (!found.ok) throw notFound("room");
  const html = renderToString(
    <TranslationProvider t={getTranslator(member.language)} language={member.language}>
      <div data-part="room-bar">
        <RoomBar {...found.panel} />
      </div>
      {/* A second person has joined: the invite that the page shows in an empty room is removed. */}
      {found.room.participants.length > 1 && <div data-part="room-invite" />}
      <div data-part="room-strip">
        <RoomStrip {...found.panel} />
      </div>
      <div data-part="trade-panel">
        <TradePanel {...found.panel} posted={null} />
      </div>
      <div data-part="room-seats">
        <Seats {...found.panel} />
      </div>
      <div data-part="trade-endings">
        <TradeEndings {...found.panel} posted={null} />
      </div>
    </TranslationProvider>,
  );
  return new Response(html, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
  });
}
