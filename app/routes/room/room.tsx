import { Plus, X } from "lucide";
import { useActionData, useLoaderData } from "react-router";
import { beginTalk } from "#app/routes/room/conversation/read-talk";
import { handleRoomPost } from "#app/routes/room/room-actions";
import { panelOf } from "#app/routes/room/room-view";
import { readInvite } from "#app/routes/rooms/read-invite";
import { getVisit, isPrefetch, notFound, parseId, requireMember } from "#app/server/pages/page-context";
import { unpackMessage } from "#format";
import type { Member } from "#modules/identity";
import { notePageVisit, readRoom } from "#modules/rooms";
import { Conversation } from "../../islands/room/conversation.tsx";
import { paths } from "../../paths.ts";
import type { PostedForm } from "../../ui/forms/posted-form.ts";
import { useT, useText } from "../../ui/frame/i18n.tsx";
import { InPlaceForms } from "../../ui/frame/in-place.tsx";
import { Icon } from "../../ui/layout/icon.tsx";
import type { PanelProps } from "../../ui/trade/types.ts";
import { InviteCard } from "../rooms/invite-card.tsx";
import { roomRowsPath } from "../rooms/room-list.tsx";
import type { Route } from "./+types/room.ts";
import { RoomBar } from "./bar/room-bar.tsx";
import { RoomStrip } from "./bar/room-strip.tsx";
import { NewMessagesAbove, NewMessagesBelow } from "./conversation/new-messages.tsx";
import { Island } from "./island.tsx";
import { LeaveRoom } from "./leave-room.tsx";
import { Seats } from "./seats/seats.tsx";
import { TradeEndings } from "./sheet/trade-endings.tsx";
import { TradePanel } from "./sheet/trade-panel.tsx";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const roomId = parseId(params.id, "room");
  const { partsOnly, scripts } = getVisit(context);
  const { pathname, searchParams: query } = new URL(request.url);
  // The conversation is no part that an answer in place shows: its script has it, and keeps it up to date.
  const readTalk = partsOnly ? undefined : beginTalk(member, roomId, request);
  const found = await panelOf(member, roomId);
  if (!found.ok) throw notFound("room");
  if (!partsOnly && !isPrefetch(request)) notePageVisit(member.userId, roomId);
  const alone = found.room.participants.length < 2;
  const inviting = alone || query.get("dialog") === "invite";
  return {
    room: found.room,
    panel: found.panel,
    view: pathname === paths.roomTrade(roomId) ? "trade" : "room",
    leaving: query.get("dialog") === "leave",
    // While the room has no other member, inviting one is the only thing to do.
    invited: inviting ? await readInvite(member, found.room.id) : null,
    awaited: alone ? await findAwaited(member, query.get("with")) : null,
    alone,
    talk: readTalk === undefined ? null : await readTalk(found),
    script: scripts.islands,
    rooms: { me: member.userId, script: scripts.rooms },
  };
}

/** The name of the other member of an earlier room, for whom this one was opened. */
async function findAwaited(member: Member, earlier: string | null): Promise<string | null> {
  const id = Number(earlier);
  const of = Number.isSafeInteger(id) && id > 0 ? await readRoom(member, id) : undefined;
  const other = of?.ok ? of.room.participants.find((one) => one.id !== member.userId) : undefined;
  return other?.displayName ?? null;
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const member = requireMember(context, request);
  return handleRoomPost(member, parseId(params.id, "room"), request);
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.room.name }];

/** Tells the page's layout that a room fills the window: no footer, and on a phone no header. */
export const handle = { fillsWindow: true };

export default function RoomPage() {
  const { room, panel, view, talk } = useLoaderData<typeof loader>();
  const t = useT();
  return (
    <main
      id="main"
      tabIndex={-1}
      className="room"
      data-room={paths.room(room.id)}
      data-trade={paths.roomTrade(room.id)}
      data-view={view}
    >
      <h1 className="sr-only">{room.name}</h1>
      <SkipTo id="room-trade" words={t("room.skipToTrade")} />
      {talk && <RoomsColumn />}
      <RoomTalk />
      <div className="room-backdrop" data-sheet-close />
      <RoomTrade {...panel} />
    </main>
  );
}

/** In a wide window the trade is beside the conversation, on its left, and after it in the page: the keyboard reaches either first. */
function SkipTo({ id, words }: { id: string; words: string }) {
  return (
    <a
      href={`#${id}`}
      className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-card focus:p-3 focus:font-semibold max-lg:hidden"
    >
      {words}
    </a>
  );
}

/** The person's rooms, where a window is wide enough for three columns: its script fetches the rows there, and nowhere else. */
function RoomsColumn() {
  const t = useT();
  const { room, rooms } = useLoaderData<typeof loader>();
  return (
    <nav id="room-list" className="room-list" aria-label={t("chat.title")}>
      <div className="flex min-h-12 items-center justify-between border-b border-line bg-card pl-3">
        <a href={paths.chat} className="inline-flex min-h-11 items-center font-bold">
          {t("chat.title")}
        </a>
        <a
          href={`${paths.chat}?dialog=create`}
          aria-label={t("chat.create")}
          className="grid size-12 place-items-center text-brand"
        >
          <Icon of={Plus} className="size-5" />
        </a>
      </div>
      <div
        id="rooms"
        data-rooms-live={roomRowsPath({ q: "", before: null }, room.id)}
        data-me={rooms.me}
        data-column=""
      />
      <script type="module" src={rooms.script} />
    </nav>
  );
}

/** The conversation below its bar and, on a phone, the trade's strip. */
function RoomTalk() {
  const t = useT();
  const { room, panel, invited, awaited, alone, leaving, talk } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <div className="room-talk whole">
      <div className="relative z-20 shrink-0">
        {/* Each query of a container makes a layer: the bar's menu opens over the strip. */}
        <div id="room-bar" data-part="room-bar" className="@container relative z-30">
          <RoomBar {...panel} />
        </div>
        <div id="room-strip" data-part="room-strip" className="@container">
          <RoomStrip {...panel} />
        </div>
        {/* Filled by the room's script. */}
        <div
          id="room-connection"
          className="pointer-events-none absolute inset-x-0 top-full flex justify-center lg:z-30 lg:top-1.5 lg:right-18 lg:left-auto xl:right-79 min-[90rem]:max-[112rem]:right-34"
        />
        <p data-still="" className="room-still">
          <a href={paths.room(room.id)}>{t("room.still")}</a>
        </p>
        <div id="room-dialog" data-part="room-dialog" data-dialogs className="grid p-2 empty:hidden">
          {leaving && <LeaveRoom {...panel} />}
        </div>
      </div>
      <div
        id="room-invite"
        data-part="room-invite"
        className="grid min-h-0 grid-cols-1 justify-items-center overflow-y-auto p-2 empty:hidden"
      >
        {invited && (
          <InviteCard
            {...invited}
            awaited={awaited}
            room={room.name}
            on="room"
            close={alone ? null : paths.room(room.id)}
          />
        )}
      </div>
      {talk && <RoomConversation {...talk} posted={posted} />}
      {talk && <InPlaceForms />}
    </div>
  );
}

/** The trade: the left column of a wide window; on a phone a page of its own, or a sheet over the conversation if scripts run. */
function RoomTrade(panel: PanelProps) {
  const t = useT();
  const posted = useActionData<typeof action>() ?? null;
  const kept = posted !== null && !["message", "image"].includes(posted.form) ? "" : undefined;
  return (
    <div id="room-trade" tabIndex={-1} className="room-trade">
      <SkipTo id="composer" words={t("room.skipToTalk")} />
      <div
        id="trade-head"
        className="flex min-h-12 shrink-0 items-center justify-between border-b border-line bg-card pl-4 lg:hidden"
      >
        <p className="font-bold">{t("room.menu.trade")}</p>
        <a
          href={paths.room(panel.room.id)}
          aria-label={t("room.toConversation")}
          className="grid size-12 place-items-center"
        >
          <Icon of={X} className="size-6" />
        </a>
      </div>
      <div className="room-trade-scroll">
        <div id="trade-panel" data-part="trade-panel" data-kept={kept} className="grid grid-cols-1 gap-2.5">
          <TradePanel {...panel} posted={posted} />
        </div>
        <div id="room-seats" data-part="room-seats">
          <Seats {...panel} />
        </div>
        <div
          id="trade-endings"
          data-part="trade-endings"
          data-kept={kept}
          className="mt-2.5 grid grid-cols-1 empty:hidden"
        >
          <TradeEndings {...panel} posted={posted} />
        </div>
      </div>
    </div>
  );
}

/** The conversation, as high as the window allows, so that writing needs no scrolling. */
function RoomConversation({
  conversation,
  above,
  below,
  posted,
}: NonNullable<Route.ComponentProps["loaderData"]["talk"]> & { posted: PostedForm | null }) {
  const { script } = useLoaderData<typeof loader>();
  const unsent = posted?.form === "message" ? posted.result.initialValue?.content : undefined;
  const failed = posted?.form === "message" ? Object.values(posted.result.error ?? {}).flat()[0] : undefined;
  const unshown = posted?.form === "image" ? posted.result : undefined;
  const wrong = Object.values(unshown?.error ?? {}).flat()[0];
  const say = useUnpackedText();
  const props = {
    ...conversation,
    draft: typeof unsent === "string" ? unsent : "",
    draftError: failed ? say(failed) : null,
    upload: {
      ...conversation.upload,
      caption: String(unshown?.initialValue?.caption ?? ""),
      error: wrong ? say(wrong) : null,
    },
  };
  return (
    <div className="flex min-h-[min(7.5rem,45vh)] min-w-0 grow flex-col">
      {above && <NewMessagesAbove {...above} />}
      <Island
        name="room"
        of={<Conversation {...props} />}
        script={script}
        className="flex min-h-0 grow flex-col"
      />
      {below && <NewMessagesBelow href={below} />}
    </div>
  );
}

/** Unpacks a message and returns its text in the page's language. */
function useUnpackedText(): (message: string) => string {
  const text = useText();
  return (message) => {
    const { key, params } = unpackMessage(message);
    return text(key, params);
  };
}
