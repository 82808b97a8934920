import { useActionData, useLoaderData } from "react-router";
import { idIn, isPrefetch, memberOnly, notFound, postedForm, visit } from "#app/http/pages";
import { act } from "#app/http/room-actions";
import { conversationOf, panelOf, readShown } from "#app/http/room-view";
import { invite } from "#modules/rooms";
import { Button, ButtonLink, TextLink } from "../components/button.tsx";
import { Page } from "../components/card.tsx";
import { useT, useText } from "../components/i18n.tsx";
import { InviteCard } from "../components/invite-card.tsx";
import { Island } from "../components/island.tsx";
import { unpacked } from "../components/message.ts";
import { TradePanel } from "../components/trade/panel.tsx";
import { TradeStanding } from "../components/trade/standing.tsx";
import { Conversation } from "../islands/room/conversation.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/room.ts";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = memberOnly(context, request);
  const found = await panelOf(member, idIn(params.id));
  if (!found.ok) throw notFound();
  const query = new URL(request.url).searchParams;
  const before = Number(query.get("before")) || undefined;
  const conversation = await conversationOf(member, found.room, found.trade?.transactionCode ?? null, before);
  // Older messages alone say nothing of the latest.
  if (before === undefined && !isPrefetch(request)) await readShown(member, conversation);
  const invited = query.get("dialog") === "invite" ? await invite(member, found.room.id) : undefined;
  return {
    room: found.room,
    me: member.userId,
    panel: found.panel,
    // Roles lock for good at the first invoice; until then the creator may swap them.
    canSwap:
      found.room.createdById === member.userId && (found.trade === null || found.trade.invoiceId === null),
    leaving: query.get("dialog") === "leave",
    invited: invited?.ok ? { code: invited.inviteCode, link: invited.inviteLink } : null,
    conversation,
    script: visit(context).scripts.islands,
  };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const member = memberOnly(context, request);
  return act(member, idIn(params.id), await postedForm(request));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.room.name }];

export default function RoomPage() {
  const { room, panel, conversation, script, invited, leaving, canSwap, me } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const t = useT();
  const unsent = posted?.form === "message" ? posted.result.initialValue?.content : undefined;
  const failed = posted?.form === "message" ? Object.values(posted.result.error ?? {}).flat()[0] : undefined;
  const say = useSaid();
  const props = {
    ...conversation,
    draft: typeof unsent === "string" ? unsent : "",
    draftError: failed ? say(failed) : null,
  };
  return (
    <Page>
      <div className="-mb-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        <TextLink to={paths.chat}>{t("room.back")}</TextLink>
        <h1 className="mr-auto text-xl font-extrabold wrap-anywhere">{room.name}</h1>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="text-sm text-quiet">{t("room.participants", { count: room.participants.length })}</p>
          {room.participants.length < 2 && <ButtonLink to="?dialog=invite">{t("chat.invite")}</ButtonLink>}
          <ButtonLink to="?dialog=leave">{t("room.leave")}</ButtonLink>
        </div>
      </div>
      {invited && <InviteCard {...invited} room={room.name} close={paths.room(room.id)} />}
      {leaving && <LeaveRoom id={room.id} />}
      <div className="grid items-start gap-4 lg:grid-cols-[22rem_1fr] lg:grid-rows-[auto_1fr] lg:gap-x-6">
        <div id="trade-standing">
          <TradeStanding {...panel} posted={posted} />
        </div>
        <Island
          name="room"
          of={<Conversation {...props} />}
          script={script}
          className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1"
        />
        <div className="grid min-w-0 gap-4">
          <div id="trade-panel" className="grid gap-4 scroll-mt-4">
            <TradePanel {...panel} posted={posted} />
          </div>
          {canSwap && (
            <form method="post" className="grid">
              <input type="hidden" name="form" value="swap-roles" />
              <input type="hidden" name="user" value={me} />
              <input type="hidden" name="role" value={room.role === "seller" ? "buyer" : "seller"} />
              <Button look="plain">{t("room.swapRoles")}</Button>
            </form>
          )}
        </div>
      </div>
    </Page>
  );
}

/** A packed message in the page's language. */
function useSaid(): (message: string) => string {
  const text = useText();
  return (message) => {
    const { key, params } = unpacked(message);
    return text(key, params);
  };
}

function LeaveRoom({ id }: { id: number }) {
  const t = useT();
  return (
    <form method="post" className="grid gap-3 rounded-card border border-bad bg-card p-4">
      <input type="hidden" name="form" value="leave" />
      <p className="font-semibold">{t("room.leaveSure")}</p>
      <div className="flex flex-wrap gap-2">
        <Button look="danger">{t("room.leave")}</Button>
        <ButtonLink to={paths.room(id)}>{t("chat.cancel")}</ButtonLink>
      </div>
    </form>
  );
}
