import { data, type HeadersArgs, useLoaderData } from "react-router";
import { actorOf, goTo, requireMember } from "#app/server/pages/page-context";
import { packRefusal, refusalToast } from "#app/server/pages/posted-forms";
import { statusOf } from "#app/server/pages/refusal-responses";
import { publicUrl } from "#config";
import { getTranslator } from "#locales";
import { ownLimitation } from "#modules/identity";
import { joinByCode, readInvitation } from "#modules/rooms";
import { paths } from "../../paths.ts";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { PageStatusCard } from "../../ui/frame/page-status-card.tsx";
import { signInPath, signUpPath } from "../../ui/frame/sign-in-paths.ts";
import { Avatar } from "../../ui/layout/avatar.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { RefusalNotice } from "../../ui/layout/refusal-notice.tsx";
import type { Route } from "./+types/invitation.ts";

/**
 * For anyone who has the code. Opening the page does not join the room: the link may be a stranger's, or a program may have opened it to
 * render its preview.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const t = getTranslator(actor.language);
  const found = await readInvitation(actor, params.code);
  const signedIn = actor.kind === "user";
  if (!found.ok) {
    const wait = found.code === "THROTTLED" ? String(found.retryAfterSeconds) : undefined;
    const title = t(
      found.code === "THROTTLED" ? "pages.throttled" : `invitation.refused.title.${found.code}`,
    );
    return data({ title, state: found.code, signedIn } as const, {
      status: statusOf(found.code),
      headers: wait === undefined ? {} : { "Retry-After": wait },
    });
  }
  const title = t("invitation.title");
  if ("seated" in found) {
    const { roomId, own } = found.seated;
    return data({ title, state: "seated", roomId, own, signedIn } as const);
  }
  const { code, inviter, role } = found;
  const limited = ownLimitation(actor);
  const obstacle = limited === undefined ? null : packRefusal(limited);
  const description = t("invitation.card", { name: inviter.displayName, role: t(`roles.${role}`) });
  const card = `${publicUrl()}${paths.invitation(code)}`;
  return data({ title, description, card, state: "open", code, inviter, role, obstacle, signedIn } as const);
}

/** One press takes the free seat. */
export async function action({ context, request, params }: Route.ActionArgs) {
  const joined = await joinByCode(requireMember(context, request), { code: params.code });
  if (joined.ok) return goTo(paths.room(joined.chatRoom.id));
  return goTo(paths.invitation(params.code), refusalToast(joined));
}

export function headers({ actionHeaders, loaderHeaders }: HeadersArgs) {
  return new Headers([...loaderHeaders, ...actionHeaders]);
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.title },
  ...(loaderData && "description" in loaderData
    ? [{ name: "description", content: loaderData.description }]
    : []),
];

export default function Invitation() {
  const t = useT();
  const shown = useLoaderData<typeof loader>();
  if (shown.state === "THROTTLED") {
    return (
      <Page width="narrow">
        <PageStatusCard pageStatus={429} />
      </Page>
    );
  }
  if (shown.state === "seated") {
    return (
      <Page width="narrow">
        <PageHead title={t("invitation.seated")} lead={shown.own && t("invitation.own")} />
        <ButtonLink to={paths.room(shown.roomId)} look="primary">
          {t("invitation.enter")}
        </ButtonLink>
      </Page>
    );
  }
  if (shown.state !== "open") {
    return (
      <Page width="narrow">
        <PageHead
          title={t(`invitation.refused.title.${shown.state}`)}
          lead={t(`invitation.refused.lead.${shown.state}`)}
        />
        <ButtonLink to={shown.signedIn ? paths.chat : paths.landing}>
          {t(shown.signedIn ? "header.chat" : "pages.home")}
        </ButtonLink>
      </Page>
    );
  }
  const { inviter, role, code, obstacle, signedIn } = shown;
  return (
    <Page width="narrow">
      <PageHead title={t("invitation.title")} lead={t("invitation.lead")} />
      <Card>
        <dl className="grid gap-3">
          <dt className="text-sm text-quiet">{t("invitation.from")}</dt>
          <dd className="flex items-center gap-3">
            <Avatar initials={inviter.avatarInitials} />
            <bdi className="min-w-0 font-bold wrap-anywhere">{inviter.displayName}</bdi>
          </dd>
          <dt className="text-sm text-quiet">{t("invitation.side")}</dt>
          <dd className="font-bold">{t(`roles.${role}`)}</dd>
        </dl>
        {obstacle !== null && <RefusalNotice message={obstacle} />}
        {signedIn ? obstacle === null && <JoinForm code={code} /> : <SignInLinks code={code} />}
      </Card>
      <Protection />
    </Page>
  );
}

function JoinForm({ code }: { code: string }) {
  const t = useT();
  return (
    <PersonForm action={paths.invitation(code)} className="grid gap-3">
      <p className="text-sm text-quiet">{t("invitation.sees")}</p>
      <Button>{t("invitation.join")}</Button>
    </PersonForm>
  );
}

/** A visitor signs in or up, comes back to this page, and joins by its one press. */
function SignInLinks({ code }: { code: string }) {
  const t = useT();
  const here = paths.invitation(code);
  return (
    <div className="grid gap-3">
      <p className="text-sm text-quiet">{t("invitation.signInFirst")}</p>
      <ButtonLink to={signUpPath(here)} look="primary">
        {t("header.signUp")}
      </ButtonLink>
      <ButtonLink to={signInPath(here)}>{t("header.signIn")}</ButtonLink>
    </div>
  );
}

function Protection() {
  const t = useT();
  return (
    <Card title={t("invitation.protects")}>
      <ol className="grid list-decimal gap-2 pl-5">
        <li>{t("invitation.pays")}</li>
        <li>{t("invitation.holds")}</li>
        <li>{t("invitation.settles")}</li>
      </ol>
    </Card>
  );
}
