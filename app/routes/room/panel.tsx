import { renderToString } from "react-dom/server";
import { panelOf } from "#app/routes/room/room-view";
import { notFound, parseId, requireMember } from "#app/server/pages/page-context";
import { countUnreadElsewhere } from "#app/server/pages/unread-elsewhere";
import { describeVisit } from "#app/server/pages/visit-context";
import { getTranslator } from "#locales";
import { TranslationProvider } from "../../ui/frame/i18n.tsx";
import { VisitProvider } from "../../ui/frame/visit.tsx";
import type { PanelProps } from "../../ui/trade/types.ts";
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
  const unread = await countUnreadElsewhere(member, new URL(request.url).pathname);
  const seen = { ...describeVisit(request, context, null), unread, halted: false };
  const html = renderToString(
    <VisitProvider visit={seen}>
      <TranslationProvider t={getTranslator(member.language)} language={member.language}>
        <RoomParts panel={found.panel} isFull={found.room.participants.length > 1} />
      </TranslationProvider>
    </VisitProvider>,
  );
  return new Response(html, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
  });
}

function RoomParts({ panel, isFull }: { panel: PanelProps; isFull: boolean }) {
  return (
    <>
      <div data-part="room-bar">
        <RoomBar {...panel} />
      </div>
      {/* A second person has joined: the invite that the page shows in an empty room is removed. */}
      {isFull && <div data-part="room-invite" />}
      <div data-part="room-strip">
        <RoomStrip {...panel} />
      </div>
      <div data-part="trade-panel">
        <TradePanel {...panel} posted={null} />
      </div>
      <div data-part="room-seats">
        <Seats {...panel} />
      </div>
      <div data-part="trade-endings">
        <TradeEndings {...panel} posted={null} />
      </div>
    </>
  );
}
