import { useActionData, useLoaderData } from "react-router";
import { actorOf, goTo, notFound, postedForm, requireMember } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { getTranslator } from "#locales";
import { readOwnProfile as ownProfile, updateProfile } from "#modules/identity";
import { paths } from "../../paths.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import { FactRow } from "../../ui/rows/fact-row.tsx";
import { RowGroup } from "../../ui/rows/row-group.tsx";
import type { Route } from "./+types/profile.ts";
import { PaymentInfo } from "./sections/account/payment-info.tsx";
import { PersonCard } from "./sections/account/person-card.tsx";
import { paymentForm } from "./sections/settings-forms.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const own = await ownProfile(requireMember(context, request));
  if (!own.ok) throw goTo(paths.landing);
  return { title: getTranslator(actorOf(context).language)("header.profile"), person: own.user };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requireMember(context, request);
  const body = await postedForm(request);
  if (body.get("form") !== "profile") throw notFound("form");
  const form = readForm("profile", body, paymentForm);
  if (!form.ok) return form.answer;
  // A form sends a cleared field as empty, and reading makes it absent; to the verb an absent field is unchanged.
  const emptied = (name: string) => (body.has(name) ? "" : undefined);
  const { phoneNumber = emptied("phoneNumber"), bankAccount = emptied("bankAccount") } = form.value;
  const saved = await updateProfile(member, { phoneNumber, bankAccount });
  if (!saved.ok) return form.refuse(saved, "profile.failed");
  return goTo(paths.profile, { kind: "success", key: "identity.profileUpdated" });
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

const settingsLinks = ["password", "factor", "devices", "notifications"] as const;

export default function Profile() {
  const t = useT();
  const { person } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page width="text">
      <PageHead title={t("header.profile")} />
      <PersonCard person={person} />
      <PaymentInfo phoneNumber={person.phoneNumber} bankAccount={person.bankAccount} posted={posted} />
      <RowGroup title={t("profile.settingsTitle")}>
        {settingsLinks.map((part) => (
          <FactRow key={part} label={t(`settings.${part}.title`)} to={`${paths.settings}#${part}`} />
        ))}
      </RowGroup>
    </Page>
  );
}
