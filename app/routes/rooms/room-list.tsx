import { Search, SearchX } from "lucide";
import { paths } from "../../paths.ts";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { EmptyState } from "../../ui/layout/empty-state.tsx";
import { Icon } from "../../ui/layout/icon.tsx";
import { RoomCard } from "./room-card.tsx";
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

/** The rooms, those with the latest activity first. */
export function RoomList(page: RoomPage) {
  const t = useT();
  const { rooms, q, before, next } = page;
  const here = roomListPath(page);
  return (
    <>
      {rooms.length === 0 && (
        <EmptyState icon={SearchX} title={q ? t("chat.foundNone", { q }) : t("chat.noOlder")}>
          <ButtonLink to={paths.chat}>{t("chat.showAll")}</ButtonLink>
        </EmptyState>
      )}
      <ul className="grid grid-cols-1 gap-3 empty:hidden">
        {rooms.map((room) => (
          <li key={room.id} className="min-w-0">
            <RoomCard room={room} here={here} now={page.now} />
          </li>
        ))}
      </ul>
      {(before !== null || next !== null) && rooms.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {before !== null && (
            <ButtonLink to={roomListPath({ q, before: null })}>{t("chat.newest")}</ButtonLink>
          )}
          {next !== null && <ButtonLink to={roomListPath({ q, before: next })}>{t("chat.older")}</ButtonLink>}
        </div>
      )}
    </>
  );
}

/** Searches for a room by its name, the other person, or its transaction code. */
export function SearchRooms({ q }: { q: string }) {
  const t = useT();
  return (
    <search>
      <form action={paths.chat} className="flex flex-wrap gap-2">
        <input
          type="search"
          name="q"
          defaultValue={q}
          maxLength={100}
          aria-label={t("chat.search")}
          placeholder={t("chat.search")}
          className="min-h-11 min-w-0 grow basis-48 rounded-control border border-edge bg-card px-3 py-2 text-base text-ink placeholder:text-quiet sm:max-w-md"
        />
        <Button look="plain">
          <Icon of={Search} className="size-5 max-sm:hidden" />
          {t("chat.find")}
        </Button>
        {q && <ButtonLink to={paths.chat}>{t("chat.showAll")}</ButtonLink>}
      </form>
    </search>
  );
}
