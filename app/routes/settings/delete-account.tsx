import { useActionData, useLoaderData } from "react-router";
import { runOrRefuseBusy } from "#app/server/pages/hashing-overload";
import { actorOf, goTo, postedForm, requireLeavingMember } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { readDocumentFacts } from "#app/server/texts/document-facts";
import { deleteAccountInput } from "#forms/identity";
import { getTranslator } from "#locales";
import { historyOf } from "#modules/escrow";
import { deleteOwnAccount, type Member, secondFactorOf, signedOutHeaders } from "#modules/identity";
import { paths } from "../../paths.ts";
import { TextLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/delete-account.ts";
import { DeleteForm, DeleteWarning, OpenTradesNotice } from "./sections/account/delete-form.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireLeavingMember(context, request);
  const { language } = actorOf(context);
  const factor = await secondFactorOf(member);
  return {
    title: getTranslator(language)("settings.delete.title"),
    years: readDocumentFacts(language).retentionRecords ?? "",
    username: member.username,
    withCode: factor.ok && factor.on,
    rooms: await findRoomsWithOpenTrades(member),
  };
}

/** The rooms of a person's trades that are not over or still hold money, where the person can finish them. */
async function findRoomsWithOpenTrades(member: Member) {
  const own = await historyOf(member);
  if (!own.ok) return [];
  return own.transactions
    .filter(({ endedAt, standing: { money } }) => {
      return endedAt === null || money === "held" || money === "disputed";
    })
    .map(({ chatRoomId, transactionCode }) => ({ id: chatRoomId, code: transactionCode }));
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requireLeavingMember(context, request);
  const form = readForm("delete", await postedForm(request), deleteAccountInput);
  if (!form.ok) return form.answer;
  const gone = await runOrRefuseBusy(() => deleteOwnAccount(member, form.value));
  // The first request of a double press has already deleted the account, so this one has nothing left to do.
  const before = !gone.ok && (gone.code === "USER_NOT_FOUND" || gone.code === "AUTH_REQUIRED");
  if (!gone.ok && !before) return form.refuse(gone);
  return goTo(paths.landing, { kind: "success", key: "identity.accountDeleted" }, signedOutHeaders(request));
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SettingsDelete() {
  const t = useT();
  const { years, username, withCode, rooms } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page width="text">
      <PageHead title={t("settings.delete.title")} />
      {rooms.length > 0 && <OpenTradesNotice rooms={rooms} />}
      <DeleteWarning years={years} />
      {(rooms.length === 0 || posted !== null) && (
        <DeleteForm username={username} withCode={withCode} posted={posted} />
      )}
      <TextLink to={paths.settings}>{t("settings.back")}</TextLink>
    </Page>
  );
}
