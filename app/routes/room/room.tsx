import { useActionData, useLoaderData } from "react-router";
import { newMessagesAbove, newMessagesBelow, roomPlaceIn } from "#app/routes/room/conversation/room-place";
import { handleRoomPost } from "#app/routes/room/room-actions";
import { conversationOf, likelyPage, markShownRead, panelOf } from "#app/routes/room/room-view";
import { readInvite } from "#app/routes/rooms/read-invite";
import { getVisit, isPrefetch, notFound, parseId, requireMember } from "#app/server/pages/page-context";
import { unpackMessage } from "#format";
import { Conversation } from "../../islands/room/conversation.tsx";
import { paths } from "../../paths.ts";
import type { PostedForm } from "../../ui/forms/posted-form.ts";
import { useText } from "../../ui/frame/i18n.tsx";
import { UnsentToast } from "../../ui/frame/in-place.tsx";
import { InviteCard } from "../rooms/invite-card.tsx";
import type { Route } from "./+types/room.ts";
import { NewMessagesAbove, NewMessagesBelow } from "./conversation/new-messages.tsx";
import { Island } from "./island.tsx";
import { LeaveRoom } from "./leave-room.tsx";
import { RoomBar } from "./room-bar.tsx";
import { Seats } from "./seats/seats.tsx";
import { TradePanel } from "./trade/panel.tsx";
import { TradeProgressCard } from "./trade/progress.tsx";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const roomId = parseId(params.id, "room");
  const query = new URL(request.url).searchParams;
  const place = roomPlaceIn(query);
  // Requested in parallel, because the page nearly always shows exactly these messages.
  const [found, page] = await Promise.all([panelOf(member, roomId), likelyPage(member, roomId, place)]);
  if (!found.ok) throw notFound("room");
  const latest = place.before === undefined && place.since === undefined;
  const conversation = await conversationOf(member, found, place, page);
  const above = latest ? await newMessagesAbove(member, conversation) : null;
  // Opening a page of older messages does not mean that the latest were read.
  if (latest && !isPrefetch(request)) await markShownRead(member, conversation);
  const alone = found.room.participants.length < 2;
  const inviting = alone || query.get("dialog") === "invite";
  return {
    room: found.room,
    panel: found.panel,
    leaving: query.get("dialog") === "leave",
    // While the room has no other member, inviting one is the only thing to do.
    invited: inviting ? await readInvite(member, found.room.id) : null,
    alone,
    conversation,
    above,
    below: place.since === undefined ? null : newMessagesBelow(conversation, found.lastSeq),
    script: getVisit(context).scripts.islands,
  };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const member = requireMember(context, request);
  return handleRoomPost(member, parseId(params.id, "room"), request);
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.room.name }];

export default function RoomPage() {
  const { room, panel, invited, alone, leaving } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto grid w-full max-w-6xl grow content-start gap-3 px-3 py-2 outline-none sm:px-4 lg:py-3 lg:grid-cols-[22rem_minmax(0,1fr)] lg:grid-rows-[auto_auto_1fr] lg:gap-x-6"
    >
      {/* On a phone the first screen holds all of this, including the composer. */}
      <div className="whole flex min-h-[calc(100dvh-5rem)] flex-col gap-2 lg:contents [body:has(>aside)_&]:min-h-[calc(100dvh-8rem)]">
        <div className="grid gap-3 bg-page lg:sticky lg:top-0 lg:z-10 lg:col-span-2">
          <div id="room-bar" data-part="room-bar">
            <RoomBar {...panel} />
          </div>
          <div id="room-dialog" data-part="room-dialog" data-dialogs className="grid empty:hidden">
            {leaving && <LeaveRoom {...panel} />}
          </div>
        </div>
        <div className="grid content-start gap-3 lg:col-start-1">
          <div id="room-invite" data-part="room-invite" className="grid empty:hidden">
            {invited && (
              <InviteCard
                {...invited}
                room={room.name}
                on="room"
                close={alone ? null : paths.room(room.id)}
              />
            )}
          </div>
          <div id="trade-standing" data-part="trade-standing">
            <TradeProgressCard {...panel} posted={posted} />
          </div>
        </div>
        <RoomConversation posted={posted} />
        <UnsentToast />
      </div>
      <div className="grid min-w-0 content-start gap-3 lg:col-start-1">
        <div
          id="trade-panel"
          data-part="trade-panel"
          data-kept={posted !== null && !["message", "image"].includes(posted.form) ? "" : undefined}
          className="grid gap-3 scroll-mt-4 empty:hidden"
        >
          <TradePanel {...panel} posted={posted} />
        </div>
        <div id="room-seats" data-part="room-seats">
          <Seats {...panel} />
        </div>
      </div>
    </main>
  );
}

/** The conversation, as high as the window allows, so that writing needs no scrolling; beside a long column of cards it stays in view. */
function RoomConversation({ posted }: { posted: PostedForm | null }) {
  const { conversation, above, below, script } = useLoaderData<typeof loader>();
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
    <div className="flex min-w-0 flex-col gap-1 max-lg:shrink-0 max-lg:grow max-lg:basis-66 lg:sticky lg:top-16 lg:col-start-2 lg:row-span-2 lg:row-start-2 lg:h-[calc(100dvh-10rem)] lg:[body:has(>aside)_&]:h-[calc(100dvh-12rem)]">
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
