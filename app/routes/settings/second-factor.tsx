import { useActionData, useLoaderData } from "react-router";
import {
  actorOf,
  goTo,
  notFound,
  postedForm,
  requireMember,
  safeNextPath,
} from "#app/server/pages/page-context";
import {
  type FormAnswer,
  forwardActionHeaders,
  readForm,
  refusalToast,
} from "#app/server/pages/posted-forms";
import { confirmSecondFactorInput } from "#forms/identity";
import { getTranslator } from "#locales";
import {
  beginSecondFactor,
  confirmSecondFactor,
  type Member,
  pendingSecondFactor,
  secondFactorOf,
} from "#modules/identity";
import { paths } from "../../paths.ts";
import { TextLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import type { Route } from "./+types/second-factor.ts";
import { redirectToConfirm, requireFreshMember } from "./fresh-login.ts";
import { BeginFactorForm, FactorSetup } from "./sections/second-factor/factor-setup.tsx";
import { RecoveryCodes } from "./sections/second-factor/recovery-codes.tsx";

/**
 * Turns the second factor on. The loader also runs after the action that returns the recovery codes: with the factor on it must not
 * redirect, or the codes would be lost unseen.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const { username, mustSetUpFactor: must } = member;
  const way = { username, must, next: nextOf(request), here: hereOf(request) };
  const title = getTranslator(actorOf(context).language)("settings.setup.title");
  const factor = await secondFactorOf(member);
  if (factor.ok && factor.on) return { ...way, title, on: true, shown: null };
  const key = await pendingSecondFactor(requireFreshMember(context, request));
  if (!key.ok) return { ...way, title, on: false, shown: null };
  const { default: QRCode } = await import("qrcode");
  const qr = await QRCode.toDataURL(key.uri, { errorCorrectionLevel: "M", margin: 3, scale: 6 });
  return { ...way, title, on: false, shown: { secret: key.secret, uri: key.uri, qr, account: username } };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requireMember(context, request);
  const body = await postedForm(request);
  const here = hereOf(request);
  if (body.get("form") === "begin") return beginFactorSetup(member, here);
  if (body.get("form") === "confirm") return confirmFactorSetup(member, body, here);
  throw notFound("form");
}

/** Where a person was going who was sent here first; null for one who came from the settings. */
function nextOf(request: Request): string | null {
  return safeNextPath(new URL(request.url).searchParams.get("next"), "") || null;
}

/** This page's address with its `next`, whatever was posted. */
function hereOf(request: Request): string {
  const next = nextOf(request);
  return next === null ? paths.settingsFactor : paths.settingsFactorFor(next);
}

async function beginFactorSetup(member: Member, here: string): Promise<Response> {
  const begun = await beginSecondFactor(member);
  if (begun.ok) return goTo(here);
  if (begun.code === "REAUTH_REQUIRED") return redirectToConfirm(here);
  return goTo(`${paths.settings}#factor`, refusalToast(begun));
}

/** The codes are sent in this response only: they are in no address, cookie or log. */
async function confirmFactorSetup(
  member: Member,
  body: FormData,
  here: string,
): Promise<Response | FormAnswer | { codes: string[] }> {
  const form = readForm("confirm", body, confirmSecondFactorInput);
  if (!form.ok) return form.answer;
  const turned = await confirmSecondFactor(member, form.value);
  if (turned.ok) return { codes: turned.recoveryCodes };
  if (turned.code === "REAUTH_REQUIRED") return redirectToConfirm(here);
  if (turned.code === "SECOND_FACTOR_ON") return goTo(`${paths.settings}#factor`, refusalToast(turned));
  if (turned.code === "SECOND_FACTOR_NOT_BEGUN") return goTo(here, refusalToast(turned));
  return form.refuse(turned);
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SettingsFactor() {
  const t = useT();
  const { on, shown, username, must, next, here } = useLoaderData<typeof loader>();
  const answered = useActionData<typeof action>() ?? null;
  if (answered !== null && "codes" in answered) {
    return (
      <Page width="text">
        <PageHead title={t("settings.codes.title")} lead={t("settings.codes.turnedOn")} />
        <RecoveryCodes codes={answered.codes} username={username} onward={next} />
      </Page>
    );
  }
  return (
    <Page width="text">
      <PageHead title={t("settings.setup.title")} lead={must && t("settings.setup.required")} />
      {on ? (
        <Notice tone="good" title={t("settings.setup.alreadyOn")} />
      ) : shown ? (
        <FactorSetup shown={shown} posted={answered} to={here} />
      ) : (
        <BeginFactorForm to={here} />
      )}
      {!on && must && (
        <TextLink to={paths.settingsPasskeyNewFor(next ?? paths.admin)}>
          {t("settings.setup.passkey")}
        </TextLink>
      )}
      {on && next !== null && <TextLink to={next}>{t("settings.setup.onward")}</TextLink>}
      <TextLink to={`${paths.settings}#factor`}>{t("settings.back")}</TextLink>
    </Page>
  );
}
