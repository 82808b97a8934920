import { useActionData, useLoaderData } from "react-router";
import { actorOf, goTo, postedForm, safeNextPath } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { chooseNameInput } from "#forms/identity";
import { getTranslator } from "#locales";
import { type Actor, chooseName, ownNameRefusals } from "#modules/identity";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Field, FormErrors, usernameInputProps } from "../../ui/forms/field.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { usePostedForm } from "../../ui/forms/posted-form.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { FactList } from "../../ui/layout/fact-list.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import type { Route } from "./+types/choose-name.ts";

/** A person whose display name is no longer allowed can open only this page, and sign out. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const actor = actorOf(context);
  if (actor.kind !== "user") throw goTo(paths.landing, { kind: "error", key: "guards.authRequired" });
  const refused = ownNameRefusals(actor);
  if (refused === undefined) throw goTo(nextOf(request));
  const t = getTranslator(actor.language);
  return {
    refused,
    username: actor.username,
    displayName: actor.displayName,
    neutral: t("names.neutral", { id: actor.userId }),
    title: t("auth.name.title"),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = readForm("name", await postedForm(request), chooseNameInput);
  if (!form.ok) return form.answer;
  const actor: Actor = actorOf(context);
  const done = await chooseName(actor, form.value);
  if (!done.ok) return form.refuse(done);
  return goTo(nextOf(request), { kind: "success", key: "identity.nameChosen" });
}

function nextOf(request: Request): string {
  return safeNextPath(new URL(request.url).searchParams.get("next"), paths.chat);
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function ChooseName() {
  const t = useT();
  const { refused, username, displayName, neutral } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  const [form, fields] = usePostedForm("name", chooseNameInput, posted);
  const rows = [
    ...(refused.displayName ? [{ label: t("auth.displayName"), value: displayName }] : []),
    ...(refused.username ? [{ label: t("auth.username"), value: username }] : []),
  ];
  return (
    <Page width="narrow">
      <PageHead title={t("auth.name.title")} lead={t("auth.name.lead", { neutral })} />
      <Card>
        <p className="font-semibold">{t("auth.name.current")}</p>
        <FactList rows={rows} />
        {[...new Set(Object.values(refused))].map((why) => (
          <Notice key={why} tone="warn">
            {t(why)}
          </Notice>
        ))}
        <PersonForm className="grid gap-4" noValidate>
          <FormErrors id={form.errorId} errors={form.errors} />
          {refused.displayName && (
            <Field label={t("auth.displayName")} field={fields.displayName} autoComplete="name" required />
          )}
          {refused.username && (
            <Field
              label={t("auth.username")}
              field={fields.username}
              hint={t("auth.name.usernameHint")}
              {...usernameInputProps}
              required
            />
          )}
          <Button>{t("auth.name.save")}</Button>
        </PersonForm>
      </Card>
      <PersonForm action={paths.logout}>
        <Button look="plain">{t("header.signOut")}</Button>
      </PersonForm>
    </Page>
  );
}
