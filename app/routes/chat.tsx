import { MessagesSquare, Plus } from "lucide";
import { useActionData, useLoaderData } from "react-router";
import { readForm, refusedToast } from "#app/http/forms";
import { actorOf, type Context, goTo, idIn, isPrefetch, memberOnly, postedForm } from "#app/http/pages";
import { shortDay } from "#format";
import { createRoomInput, joinInput } from "#forms/rooms";
import { translator } from "#locales";
import { createRoom, deleteRoom, invite, joinByCode, listRooms } from "#modules/rooms";
import { Button, ButtonLink } from "../components/button.tsx";
import { Card, Page, PageHead } from "../components/card.tsx";
import { Empty } from "../components/empty.tsx";
import { Choices, Errors, Field, TextField } from "../components/field.tsx";
import { useLanguage, useT } from "../components/i18n.tsx";
import { Icon } from "../components/icon.tsx";
import { InviteCard } from "../components/invite-card.tsx";
import { type Posted, usePostedForm } from "../components/posted-form.ts";
import { paths } from "../paths.ts";
import type { Route } from "./+types/chat.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  memberOnly(context, request);
  const actor = actorOf(context);
  const query = new URL(request.url).searchParams;
  await joinOnce(context, request, query.get("invite"));
  const listed = await listRooms(actor, {}, { all: true });
  const rooms = listed.ok ? listed.rooms : [];
  const dialog = query.get("dialog");
  const chosen = rooms.find((room) => room.id === Number(query.get("room")));
  const invited = dialog === "invite" && chosen ? await invite(actor, chosen.id) : undefined;
  return {
    title: translator(actor.language)("chat.title"),
    me: actor.kind === "user" ? actor.userId : 0,
    rooms,
    dialog,
    chosen: chosen ?? null,
    invited: invited?.ok ? { code: invited.inviteCode, link: invited.inviteLink } : null,
  };
}

/** `?invite=` joins once, on a real navigation only: a browser that merely prefetches the link must not take a seat. */
async function joinOnce(context: Context, request: Request, code: string | null): Promise<void> {
  if (code === null) return;
  if (isPrefetch(request)) throw new Response(null, { status: 204 });
  const joined = await joinByCode(actorOf(context), { code });
  if (joined.ok) throw goTo(paths.room(joined.chatRoom.id));
  throw goTo(paths.chat, refusedToast(joined));
}

export async function action({ context, request }: Route.ActionArgs) {
  memberOnly(context, request);
  const actor = actorOf(context);
  const body = await postedForm(request);
  switch (body.get("form")) {
    case "create": {
      const form = readForm("create", body, createRoomInput);
      if (!form.ok) return form.answer;
      const done = await createRoom(actor, form.value);
      return done.ok ? goTo(paths.room(done.room.id)) : form.refuse(done);
    }
    case "join": {
      const form = readForm("join", body, joinInput);
      if (!form.ok) return form.answer;
      const done = await joinByCode(actor, form.value);
      return done.ok ? goTo(paths.room(done.chatRoom.id)) : form.refuse(done);
    }
    default: {
      const done = await deleteRoom(actor, idIn(body.get("room")));
      return goTo(paths.chat, done.ok ? { kind: "success", key: "toast.roomDeleted" } : refusedToast(done));
    }
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Chat() {
  const t = useT();
  const { rooms, me, dialog, chosen, invited } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const open = posted?.form ?? dialog;
  return (
    <Page>
      <PageHead title={t("chat.title")}>
        <ButtonLink to="?dialog=join">{t("chat.join")}</ButtonLink>
        <ButtonLink to="?dialog=create" look={open === null && rooms.length > 0 ? "primary" : "plain"}>
          <Icon of={Plus} className="size-5 max-sm:hidden" />
          {t("chat.create")}
        </ButtonLink>
      </PageHead>
      {open === "create" && <CreateRoom posted={posted} />}
      {open === "join" && <JoinRoom posted={posted} />}
      {invited && chosen && <InviteCard {...invited} room={chosen.name} close={paths.chat} />}
      {open === "delete" && chosen && <DeleteRoom room={chosen} />}
      {rooms.length === 0 ? (
        <Empty icon={MessagesSquare} title={t("chat.empty")}>
          <ButtonLink to="?dialog=create" look={open === null ? "primary" : "plain"}>
            {t("chat.createFirst")}
          </ButtonLink>
        </Empty>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {rooms.map((room) => (
            <li key={room.id}>
              <RoomCard room={room} mine={room.createdById === me} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

type Room = ReturnType<typeof useLoaderData<typeof loader>>["rooms"][number];

function RoomCard({ room, mine }: { room: Room; mine: boolean }) {
  const t = useT();
  const language = useLanguage();
  return (
    <Card className="h-full grid-rows-[1fr_auto]">
      <div className="grid content-start gap-1">
        <h2 className="text-lg font-bold wrap-anywhere">{room.name}</h2>
        {room.description && <p className="line-clamp-2 text-quiet wrap-anywhere">{room.description}</p>}
        <p className="text-sm text-quiet">
          {t("chat.created", { date: shortDay(room.createdAt, language) })}
        </p>
        {room.status === "inactive" && <p className="text-sm font-semibold">{t("chat.ended")}</p>}
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <ButtonLink to={paths.room(room.id)}>{t("chat.enter")}</ButtonLink>
        {room.status === "active" && (
          <ButtonLink to={`?dialog=invite&room=${room.id}`} look="quiet">
            {t("chat.invite")}
          </ButtonLink>
        )}
        {mine && (
          <a
            href={`?dialog=delete&room=${room.id}`}
            className="inline-flex min-h-11 items-center rounded-control px-4 font-semibold text-bad no-underline hover:bg-bad-soft"
          >
            {t("chat.delete")}
          </a>
        )}
      </div>
    </Card>
  );
}

function CreateRoom({ posted }: { posted: Posted | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("create", createRoomInput, posted, { role: "seller" });
  return (
    <Card title={t("chat.create")}>
      <form method="post" className="grid gap-4" noValidate>
        <input type="hidden" name="form" value="create" />
        <Errors id={form.errorId} errors={form.errors} />
        <Field label={t("chat.name")} field={fields.name} placeholder={t("chat.namePlaceholder")} autoFocus />
        <TextField label={t("chat.descriptionLabel")} field={fields.description} />
        <Choices
          label={t("chat.myRole")}
          field={fields.role}
          options={[
            { value: "seller", label: t("roles.seller") },
            { value: "buyer", label: t("roles.buyer") },
          ]}
        />
        <Actions submit={t("chat.create")} />
      </form>
    </Card>
  );
}

function JoinRoom({ posted }: { posted: Posted | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("join", joinInput, posted);
  return (
    <Card title={t("chat.join")}>
      <form method="post" className="grid gap-4" noValidate>
        <input type="hidden" name="form" value="join" />
        <Errors id={form.errorId} errors={form.errors} />
        <Field
          label={t("chat.code")}
          field={fields.code}
          autoComplete="off"
          autoCapitalize="characters"
          autoFocus
        />
        <Actions submit={t("chat.join")} />
      </form>
    </Card>
  );
}

function DeleteRoom({ room }: { room: Room }) {
  const t = useT();
  return (
    <Card title={t("chat.sure")}>
      <p>{t("chat.deleteWarning", { name: room.name })}</p>
      <form method="post" className="grid gap-4">
        <input type="hidden" name="form" value="delete" />
        <input type="hidden" name="room" value={room.id} />
        <Actions submit={t("chat.delete")} danger />
      </form>
    </Card>
  );
}

function Actions({ submit, danger = false }: { submit: string; danger?: boolean }) {
  const t = useT();
  return (
    <div className="flex flex-wrap gap-2">
      <Button look={danger ? "danger" : "primary"}>{submit}</Button>
      <ButtonLink to={paths.chat}>{t("chat.cancel")}</ButtonLink>
    </div>
  );
}
