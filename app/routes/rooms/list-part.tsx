import { renderToString } from "react-dom/server";
import { readRoomList } from "#app/routes/rooms/read-room-list";
import { requireMember } from "#app/server/pages/page-context";
import { currentTime } from "#db/clock";
import { getTranslator } from "#locales";
import { ownLimitation } from "#modules/identity";
import { countUnread } from "#modules/rooms";
import { TranslationProvider } from "../../ui/frame/i18n.tsx";
import { UnreadMark } from "../../ui/frame/unread-count.tsx";
import type { Route } from "./+types/list-part.ts";
import { RoomList } from "./room-list.tsx";

/**
 * The rows of a page of the list as HTML, after the number of unread messages in the other rooms: its script fetches them when something
 * has changed in one of the rooms, and the page of a room to fill the column beside it (`open`). Where that column is not shown it asks for
 * the number alone (`only=unread`).
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const query = new URL(request.url).searchParams;
  const open = Number(query.get("open"));
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
  const isMarkOnly = query.get("only") === "unread";
  const { wait, ...page } = isMarkOnly ? noRows : await readRoomList(member, query);
  if (wait > 0)
    return new Response("", { status: 429, headers: { ...headers, "Retry-After": String(wait) } });
  const unread = await countUnread(member.userId, open > 0 ? open : undefined);
  const html = renderToString(
    <TranslationProvider t={getTranslator(member.language)} language={member.language}>
      <UnreadMark unread={unread} />
      <div data-me={member.userId}>
        {!isMarkOnly && (
          <RoomList
            {...page}
            {...(open > 0 && { open })}
            q={query.get("q")?.trim() ?? ""}
            before={query.get("before")}
            now={currentTime().toISOString()}
            mayCreate={ownLimitation(member) === undefined}
          />
        )}
      </div>
    </TranslationProvider>,
  );
  return new Response(html, { headers });
}

const noRows = { rooms: [], next: null, wait: 0 };
