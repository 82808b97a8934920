import { Search, SearchX } from "lucide";
import { useLoaderData } from "react-router";
import { actorOf, getVisit, notFound, parseId, requireMember } from "#app/server/pages/page-context";
import { formatLongDay, formatTime } from "#format";
import { getTranslator } from "#locales";
import { notePagePresence, readRoom, searchMessages } from "#modules/rooms";
import { paths } from "../../paths.ts";
import { Button, TextLink } from "../../ui/forms/button.tsx";
import { useLanguage, useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import { Icon } from "../../ui/layout/icon.tsx";
import type { Route } from "./+types/search.ts";
import { RoomPresence } from "./seats/room-presence.tsx";

/** Searches the messages of a room; each result leads to its place in the conversation. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const roomId = parseId(params.id, "room");
  const found = await readRoom(member, roomId);
  if (!found.ok) throw notFound("room");
  notePagePresence(member, roomId);
  const q = new URL(request.url).searchParams.get("q")?.trim().slice(0, 100) ?? "";
  const asked = q === "" ? undefined : await searchMessages(member, roomId, { q });
  const names = new Map(found.room.participants.map(({ id, displayName }) => [id, displayName]));
  return {
    title: getTranslator(actorOf(context).language)("room.search.title"),
    room: { id: roomId, name: found.room.name },
    presence: { roomId, me: member.userId, script: getVisit(context).scripts.rooms },
    q,
    wait: asked?.ok === false && asked.code === "THROTTLED" ? asked.retryAfterSeconds : 0,
    results: asked?.ok
      ? asked.messages.map(({ senderId, ...message }) => ({ ...message, by: names.get(senderId) ?? "" }))
      : null,
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SearchPage() {
  const t = useT();
  const language = useLanguage();
  const { room, presence, q, results, wait } = useLoaderData<typeof loader>();
  return (
    <Page width="text">
      <RoomPresence {...presence} />
      <TextLink to={paths.room(room.id)}>{t("room.search.back")}</TextLink>
      <PageHead title={t("room.search.title")} lead={room.name} />
      <search>
        <form className="flex gap-2">
          <label htmlFor="search" className="sr-only">
            {t("room.search.field")}
          </label>
          <input
            id="search"
            name="q"
            type="search"
            defaultValue={q}
            required
            maxLength={100}
            placeholder={t("room.search.field")}
            className="min-h-11 w-full min-w-0 rounded-control border border-edge bg-card px-3 text-base"
          />
          <Button>
            <Icon of={Search} className="size-5" />
            <span className="sr-only">{t("room.search.go")}</span>
          </Button>
        </form>
      </search>
      {wait > 0 && <p role="alert">{t("room.search.wait", { seconds: wait })}</p>}
      {results?.length === 0 && (
        <p className="flex items-center gap-2 text-quiet">
          <Icon of={SearchX} className="size-5" />
          {t("room.search.none")}
        </p>
      )}
      {results !== null && results.length > 0 && (
        <ul className="grid divide-y divide-line rounded-card border border-line bg-card">
          {results.map(({ seq, by, createdAt, excerpt }) => (
            <li key={seq}>
              <a href={paths.message(room.id, seq)} className="grid gap-0.5 px-3 py-2 text-ink no-underline">
                <span className="flex flex-wrap justify-between gap-x-3 text-sm text-quiet">
                  <bdi className="font-semibold wrap-anywhere">{by}</bdi>
                  <time
                    dateTime={createdAt}
                  >{`${formatLongDay(createdAt, language)} ${formatTime(createdAt)}`}</time>
                </span>
                <span className="line-clamp-3 wrap-anywhere">{excerpt}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
