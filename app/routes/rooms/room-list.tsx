import { MessagesSquare, Search, SearchX } from "lucide";
import { paths } from "../../paths.ts";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { EmptyState } from "../../ui/layout/empty-state.tsx";
import { Icon } from "../../ui/layout/icon.tsx";
import { groupRooms } from "./room-order.ts";
import { RoomRow } from "./room-row.tsx";
import type { RoomShown } from "./types.ts";

/** A page of the list: the search text, and the cursors of this page and the next. */
export interface RoomPage {
  rooms: RoomShown[];
  q: string;
  before: string | null;
  next: string | null;
  /** The server's time, ISO 8601. */
  now: string;
}

/** The address of a page of the list, with its search text and cursor. */
export function roomListPath({ q, before }: { q: string; before: string | null }): string {
  const query = new URLSearchParams({ ...(q && { q }), ...(before && { before }) }).toString();
  return query === "" ? paths.chat : `${paths.chat}?${query}`;
}

/** The address of the rows of a page of the list, which its script fetches. In the column beside a room, `open` is that room. */
export function roomRowsPath(page: { q: string; before: string | null }, open?: number): string {
  const query = new URLSearchParams(roomListPath(page).split("?")[1] ?? "");
  if (open !== undefined) query.set("open", String(open));
  const asked = query.toString();
  return asked === "" ? paths.chatList : `${paths.chatList}?${asked}`;
}

/** The rooms in groups: the reader's turn, others' turn, finished. In the column beside a room, `open` is that room. */
export function RoomList({ open, mayCreate, ...page }: RoomPage & { open?: number; mayCreate: boolean }) {
  const t = useT();
  const { rooms, q, before, next } = page;
  const here = roomListPath(page);
  if (rooms.length === 0 && q === "" && before === null) return <NoRooms mayCreate={mayCreate} />;
  return (
    <>
      {rooms.length === 0 && (
        <div className="p-4">
          <EmptyState icon={SearchX} title={q ? t("chat.foundNone", { q }) : t("chat.noMoreRooms")}>
            <ButtonLink to={paths.chat}>{t("chat.showAll")}</ButtonLink>
          </EmptyState>
        </div>
      )}
      {groupRooms(rooms).map(({ group, size, rooms }) => (
        <section key={group} aria-labelledby={`rooms-${group}`} data-group={group}>
          <h2
            id={`rooms-${group}`}
            className="border-b border-line bg-page px-3 py-1.5 text-xs font-bold tracking-wide text-quiet uppercase"
          >
            {t(`chat.group.${group}`)} · <span className="tabular-nums">{size}</span>
          </h2>
          <ul>
            {rooms.map((room) => (
              <RoomRow key={room.id} room={room} here={here} now={page.now} open={room.id === open} />
            ))}
          </ul>
        </section>
      ))}
      {(before !== null || next !== null) && rooms.length > 0 && (
        <div className="flex flex-wrap gap-2 border-t border-line p-3">
          {before !== null && (
            <ButtonLink to={roomListPath({ q, before: null })}>{t("chat.firstPage")}</ButtonLink>
          )}
          {next !== null && (
            <ButtonLink to={roomListPath({ q, before: next })}>{t("chat.moreRooms")}</ButtonLink>
          )}
        </div>
      )}
    </>
  );
}

function NoRooms({ mayCreate }: { mayCreate: boolean }) {
  const t = useT();
  return (
    <div className="p-3">
      <EmptyState icon={MessagesSquare} title={t("chat.empty")}>
        {mayCreate && (
          <ButtonLink to={`${paths.chat}?dialog=create`} look="primary">
            {t("chat.createFirst")}
          </ButtonLink>
        )}
      </EmptyState>
    </div>
  );
}

/** Searches for a room by its name, the other person, or its transaction code. */
export function SearchRooms({ q }: { q: string }) {
  const t = useT();
  return (
    <search className="p-2 sm:px-0">
      <form action={paths.chat} className="flex flex-wrap gap-2">
        <input
          type="search"
          name="q"
          defaultValue={q}
          maxLength={100}
          aria-label={t("chat.search")}
          placeholder={t("chat.search")}
          className="min-h-11 min-w-0 grow basis-24 rounded-control border border-edge bg-card px-3 py-2 text-base text-ink placeholder:text-quiet"
        />
        <Button look="plain" aria-label={t("chat.find")} className="px-3">
          <Icon of={Search} className="size-5" />
        </Button>
        {q && <ButtonLink to={paths.chat}>{t("chat.showAll")}</ButtonLink>}
      </form>
    </search>
  );
}
