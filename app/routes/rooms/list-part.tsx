import { renderToString } from "react-dom/server";
import { readRoomList } from "#app/routes/rooms/read-room-list";
import { requireMember } from "#app/server/pages/page-context";
import { currentTime } from "#db/clock";
import { getTranslator } from "#locales";
import { ownLimitation } from "#modules/identity";
import { TranslationProvider } from "../../ui/frame/i18n.tsx";
import type { Route } from "./+types/list-part.ts";
import { RoomList } from "./room-list.tsx";

/**
 * The rows of a page of the list as HTML: its script fetches them when something has changed in one of the rooms, and the page of a room to
 * fill the column beside it (`open`).
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const query = new URL(request.url).searchParams;
  const open = Number(query.get("open"));
  const { wait, ...page } = await readRoomList(member, query);
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
  if (wait > 0)
    return new Response("", { status: 429, headers: { ...headers, "Retry-After": String(wait) } });
  const html = renderToString(
    <TranslationProvider t={getTranslator(member.language)} language={member.language}>
      <div data-me={member.userId}>
        <RoomList
          {...page}
          {...(open > 0 && { open })}
          q={query.get("q")?.trim() ?? ""}
          before={query.get("before")}
          now={currentTime().toISOString()}
          mayCreate={ownLimitation(member) === undefined}
        />
      </div>
    </TranslationProvider>,
  );
  return new Response(html, { headers });
}
