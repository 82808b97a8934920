import { data, useActionData, useLoaderData } from "react-router";
import {
  actorOf,
  getVisit,
  goTo,
  notFound,
  parseId,
  postedForm,
  requireMember,
} from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm, refusalToast } from "#app/server/pages/posted-forms";
import { checkVaultSchema, sealVaultFormSchema, typedSecrets, vaultSecrets } from "#forms/escrow";
import { getTranslator } from "#locales";
import { checkVault, openVault, sealVault, tradeOfRoom } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { notePagePresence } from "#modules/rooms";
import type { TradeView } from "#views/escrow";
import { paths } from "../../paths.ts";
import { TextLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import type { VaultProps } from "../../ui/trade/vault/vault-types.ts";
import type { Route } from "./+types/vault.ts";
import { RoomPresence } from "./seats/room-presence.tsx";
import { BuyerVault } from "./vault/buyer.tsx";
import { SellerVault } from "./vault/seller.tsx";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const { roomId, trade } = await requireRoomTrade(member, params.id);
  notePagePresence(member, roomId);
  return {
    presence: { roomId, me: member.userId, script: getVisit(context).scripts.rooms },
    title: getTranslator(actorOf(context).language)("vault.title"),
    role: trade.role,
    code: trade.transactionCode,
    paid: trade.standing.done.includes("held"),
    over: trade.endedAt !== null,
    checking: trade.heldForChecking,
    closedBy: closedBy(trade),
    vault: trade.vault,
    can: trade.can,
    serverNow: trade.serverTime,
    clientId: crypto.randomUUID(),
    room: paths.room(roomId),
  };
}

function closedBy({ status, cancellationRequests }: TradeView): VaultProps["closedBy"] {
  if (status === "disputed") return "dispute";
  return cancellationRequests.buyer === null ? null : "request";
}

/** The trade of the room in the address, for its two parties; a room without a trade has no vault yet. */
async function requireRoomTrade(member: Member, id: string): Promise<{ roomId: number; trade: TradeView }> {
  const roomId = parseId(id, "room");
  const found = await tradeOfRoom(member, roomId);
  if (!found.ok) throw notFound("room");
  if (found.trade === null) throw notFound("vault");
  return { roomId, trade: found.trade };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const member = requireMember(context, request);
  const { roomId, trade } = await requireRoomTrade(member, params.id);
  notePagePresence(member, roomId);
  const body = await postedForm(request);
  const form = body.get("form");
  if (form === "open") return handleOpenForm(member, roomId, trade.id);
  if (form === "seal") return handleSealForm(member, roomId, trade.id, body);
  if (form === "check") return handleChecklistForm(member, roomId, trade.id, body);
  throw notFound("form");
}

/** The secrets are sent in this response only, which is never stored: they are in no address, cookie or log. */
async function handleOpenForm(member: Member, roomId: number, id: number) {
  const opened = await openVault(member, id);
  if (!opened.ok) return goTo(paths.vault(roomId), refusalToast(opened));
  return data({ values: opened.values }, { headers: { "Cache-Control": "no-store" } });
}

async function handleSealForm(member: Member, roomId: number, id: number, body: FormData) {
  body.set("typed", typedSecretsIn(body).join(" "));
  const read = readForm("seal", body, sealVaultFormSchema);
  if (!read.ok) return read.answer;
  const { sure: _, typed: __, ...sealed } = read.value;
  const done = await sealVault(member, id, sealed);
  if (done.ok) return goTo(paths.vault(roomId), { kind: "success", key: "toast.done.seal" });
  return read.refuse(done);
}

/** The secrets filled in in this form or an earlier attempt: if the form is shown again, none of them can be left empty by mistake. */
function typedSecretsIn(body: FormData): string[] {
  const before = typedSecrets(body.get("typed"));
  return vaultSecrets.filter((name) => before.includes(name) || String(body.get(name) ?? "").trim() !== "");
}

async function handleChecklistForm(member: Member, roomId: number, id: number, body: FormData) {
  const read = readForm("check", body, checkVaultSchema);
  if (!read.ok) return read.answer;
  const done = await checkVault(member, id, read.value);
  return goTo(
    paths.vault(roomId),
    done.ok ? { kind: "success", key: "toast.done.check" } : refusalToast(done),
  );
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function RoomVault() {
  const t = useT();
  const shown = useLoaderData<typeof loader>();
  const answered = useActionData<typeof action>() ?? null;
  const opened = answered !== null && "values" in answered ? answered.values : null;
  const posted = answered !== null && "form" in answered ? answered : null;
  return (
    <Page width="text" inPlace>
      {/* What was typed, or is shown once only, must stay as it is. */}
      <RoomPresence {...shown.presence} live={answered === null} />
      <PageHead title={t("vault.title")} lead={shown.over ? undefined : t(`vault.lead.${shown.role}`)} />
      <p className="-mt-4 font-mono text-sm text-quiet">{shown.code}</p>
      {shown.role === "seller" ? (
        <SellerVault {...shown} posted={posted} />
      ) : (
        <BuyerVault {...shown} posted={posted} values={opened} />
      )}
      <TextLink to={shown.room}>{t("vault.back")}</TextLink>
    </Page>
  );
}
