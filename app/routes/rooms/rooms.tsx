import { Plus } from "lucide";
import { data, type HeadersArgs, useActionData, useLoaderData } from "react-router";
import { readInvite } from "#app/routes/rooms/read-invite";
import { readRoomList } from "#app/routes/rooms/read-room-list";
import { isTypedAddress } from "#app/routes/rooms/typed-address";
import { runOrToastFailure } from "#app/server/pages/form-failure-toast";
import {
  getVisit,
  goTo,
  isPrefetch,
  parseId,
  postedForm,
  requireMember,
} from "#app/server/pages/page-context";
import { packRefusal, readForm, refusalToast } from "#app/server/pages/posted-forms";
import { currentTime } from "#db/clock";
import { createRoomInput, joinInput } from "#forms/rooms";
import { getTranslator } from "#locales";
import { readRoomProgress } from "#modules/escrow";
import { type Member, ownLimitation } from "#modules/identity";
import { createRoom, deleteRoom, joinByCode, readRoom, renewInvite } from "#modules/rooms";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { InPlaceForms } from "../../ui/frame/in-place.tsx";
import { PageStatusCard } from "../../ui/frame/page-status-card.tsx";
import { Page } from "../../ui/layout/card.tsx";
import { Icon } from "../../ui/layout/icon.tsx";
import { RefusalNotice } from "../../ui/layout/refusal-notice.tsx";
import type { Route } from "./+types/rooms.ts";
import { InviteCard } from "./invite-card.tsx";
import { CreateRoom, DeleteRoom, JoinRoom } from "./room-forms.tsx";
import { RoomList, type RoomPage, roomListPath, roomRowsPath, SearchRooms } from "./room-list.tsx";

/** Whose list it is, and the script that keeps it up to date. */
type LiveList = { me: number; script: string };

/** The search is shown for more rooms than a phone shows at once. */
const searchThreshold = 7;

export async function loader({ context, request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const code = query.get("invite");
  // A link must not make anyone join a room, whoever wrote it: it shows who invites, and joining takes one press.
  if (code !== null && (isPrefetch(request) || !isTypedAddress(request))) throw goTo(paths.invitation(code));
  const member = requireMember(context, request);
  if (code !== null) throw await joinByTypedLink(member, code);
  const [{ wait, ...page }, opened] = await Promise.all([
    readRoomList(member, query),
    findOpenDialog(member, query),
  ]);
  const limited = ownLimitation(member);
  const t = getTranslator(member.language);
  const shown = {
    title: t(wait > 0 ? "pages.throttled" : "chat.title"),
    busy: wait > 0,
    limited: limited === undefined ? null : packRefusal(limited),
    page: {
      ...page,
      q: query.get("q")?.trim() ?? "",
      before: query.get("before"),
      now: currentTime().toISOString(),
    },
    live: { me: member.userId, script: getVisit(context).scripts.rooms },
    ...opened,
  };
  return data(shown, wait > 0 ? { status: 429, headers: { "Retry-After": String(wait) } } : {});
}

/** Sends Retry-After if a search or a form is refused. */
export function headers({ actionHeaders, loaderHeaders }: HeadersArgs) {
  return new Headers([...loaderHeaders, ...actionHeaders]);
}

/** Joins the room of a code in a typed address. */
async function joinByTypedLink(member: Member, code: string): Promise<Response> {
  const done = await joinByCode(member, { code });
  return done.ok ? goTo(paths.room(done.chatRoom.id)) : goTo(paths.chat, refusalToast(done));
}

const noDialog = { dialog: null, again: null, invited: null, deleting: null };

/** The dialog that the address opens, with its room; none for a room of which the person is not a member. */
async function findOpenDialog(member: Member, query: URLSearchParams) {
  const dialog = query.get("dialog");
  const id = Number(query.get(dialog === "create" ? "with" : "room"));
  const of = Number.isSafeInteger(id) && id > 0 ? await readRoom(member, id) : undefined;
  const found = of?.ok ? of.room : undefined;
  if (dialog === "create" || dialog === "join") {
    const other = found?.participants.find((one) => one.id !== member.userId);
    const again = found && other && { name: found.name, role: found.role, other: other.displayName };
    return { ...noDialog, dialog, again: again ?? null };
  }
  if (found === undefined) return noDialog;
  if (dialog === "invite") {
    const invited = await readInvite(member, found.id);
    return { ...noDialog, dialog, invited: invited && { ...invited, room: found.name } };
  }
  if (dialog !== "delete" || found.createdById !== member.userId) return noDialog;
  const progress = (await readRoomProgress(member, [found.id])).get(found.id);
  const { id: roomId, name } = found;
  const deleting = { id: roomId, name, hasTrade: progress !== undefined, refused: progress?.keptFor ?? null };
  return { ...noDialog, dialog, deleting };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requireMember(context, request);
  const body = await postedForm(request);
  const form = String(body.get("form"));
  return runOrToastFailure({ form, at: paths.chat, member }, () =>
    handleRoomListForm(member, body, new URL(request.url).searchParams.get("with")),
  );
}

/** `earlier` is the room with whose other member a new one is opened. */
async function handleRoomListForm(member: Member, body: FormData, earlier: string | null) {
  switch (body.get("form")) {
    case "create": {
      const form = readForm("create", body, createRoomInput);
      if (!form.ok) return form.answer;
      const done = await createRoom(member, form.value);
      if (!done.ok) return form.refuse(done);
      const at = paths.room(done.room.id);
      return goTo(earlier !== null && /^\d{1,15}$/.test(earlier) ? `${at}?with=${earlier}` : at);
    }
    case "join": {
      const form = readForm("join", body, joinInput);
      if (!form.ok) return form.answer;
      const done = await joinByCode(member, form.value);
      return done.ok ? goTo(paths.room(done.chatRoom.id)) : form.refuse(done);
    }
    case "renew-invite": {
      const id = parseId(body.get("room"));
      const done = await renewInvite(member, id);
      if (!done.ok) return goTo(paths.chat, refusalToast(done));
      const at = body.get("on") === "room" ? `${paths.room(id)}?dialog=invite` : inviteDialogPath(id);
      return goTo(at, { kind: "success", key: "toast.inviteRenewed" });
    }
    default: {
      const done = await deleteRoom(member, parseId(body.get("room")));
      return goTo(paths.chat, done.ok ? { kind: "success", key: "toast.roomDeleted" } : refusalToast(done));
    }
  }
}

function inviteDialogPath(id: number): string {
  return `${paths.chat}?dialog=invite&room=${id}`;
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Chat() {
  const { page, live, busy, limited, dialog, again, invited, deleting } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const open = posted?.form ?? dialog;
  const here = roomListPath(page);
  const back = (id: number) => `${here}#room-${id}`;
  if (busy) {
    return (
      <Page width="narrow">
        <PageStatusCard pageStatus={429} />
      </Page>
    );
  }
  const opened = limited === null && (open === "create" || open === "join");
  return (
    // Flush with the edges on a phone: a row takes the whole width.
    <main
      id="main"
      tabIndex={-1}
      data-part="main"
      className="mx-auto flex w-full max-w-3xl grow flex-col outline-none sm:px-4 sm:pt-6"
    >
      <ListHead actions={limited === null} primary={!opened} />
      {limited !== null && (
        <div className="grid p-3 sm:px-0">
          <RefusalNotice message={limited} />
        </div>
      )}
      <div data-dialogs className="grid px-3 empty:hidden sm:px-0 [&>:not([data-modal])]:my-3">
        {opened && open === "create" && <CreateRoom posted={posted} again={again} close={here} />}
        {opened && open === "join" && <JoinRoom posted={posted} close={here} />}
        {invited && <InviteCard {...invited} on="list" close={back(invited.roomId)} />}
        {deleting && <DeleteRoom room={deleting} close={back(deleting.id)} />}
      </div>
      <Rooms page={page} live={live} mayCreate={limited === null && !opened} />
      {limited === null && !opened && (
        <div
          data-noprint
          className="list-actions sticky z-2 mt-auto grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-2 border-t border-line bg-card px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:hidden"
        >
          <RoomActions primary />
        </div>
      )}
      <InPlaceForms />
    </main>
  );
}

/** The page's title, which on a phone stands in the header, and on a wider screen what else one can do. */
function ListHead({ actions, primary }: { actions: boolean; primary: boolean }) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center gap-3 max-sm:contents sm:pb-4">
      <h1 className="mr-auto text-3xl font-extrabold tracking-tight max-sm:sr-only">{t("chat.title")}</h1>
      {actions && (
        <div className="flex gap-3 max-sm:hidden">
          <RoomActions primary={primary} />
        </div>
      )}
    </div>
  );
}

function RoomActions({ primary }: { primary: boolean }) {
  const t = useT();
  return (
    <>
      <ButtonLink to="?dialog=join" className="max-sm:px-2">
        {t("chat.join")}
      </ButtonLink>
      <ButtonLink to="?dialog=create" look={primary ? "primary" : "plain"} className="max-sm:px-2">
        <Icon of={Plus} className="size-5 max-sm:hidden" />
        {t("chat.create")}
      </ButtonLink>
    </>
  );
}

function Rooms({ page, live, mayCreate }: { page: RoomPage; live: LiveList; mayCreate: boolean }) {
  const first = page.q === "" && page.before === null;
  return (
    <>
      {(!first || page.next !== null || page.rooms.length > searchThreshold) && <SearchRooms q={page.q} />}
      <div
        id="rooms"
        data-rooms-live={roomRowsPath(page)}
        data-me={live.me}
        className="overflow-hidden border-line bg-card max-sm:border-y sm:rounded-card sm:border"
      >
        <RoomList {...page} mayCreate={mayCreate} />
      </div>
      <script type="module" src={live.script} />
    </>
  );
}
