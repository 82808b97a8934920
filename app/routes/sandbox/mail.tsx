import { useLoaderData } from "react-router";
import { actorOf, notFound } from "#app/server/pages/page-context";
import { formatMoment } from "#format";
import { getTranslator } from "#locales";
import { listMail } from "#modules/mailer";
import { paths } from "../../paths.ts";
import { SpokenContext } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/mail.ts";

/** The mailbox of a trial: every email that Midman would have sent. Not available once email is really sent. */
export async function loader({ context }: Route.LoaderArgs) {
  const listed = await listMail();
  if (!listed.ok) throw notFound("page");
  return { mails: listed.mails, title: getTranslator(actorOf(context).language)("sandbox.mailbox") };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SandboxMail() {
  const t = useT();
  const { mails } = useLoaderData<typeof loader>();
  return (
    <Page>
      <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">{t("sandbox.mailbox")}</h1>
      <Card>
        {mails.length === 0 && <p>{t("sandbox.noMail")}</p>}
        <ul className="grid divide-y divide-line">
          {mails.map((mail) => (
            <li key={mail.id} className="grid gap-1 py-3">
              <a
                href={paths.sandboxMailItem(mail.id)}
                className="inline-flex min-h-11 items-center justify-self-start font-semibold text-brand underline wrap-anywhere"
              >
                {mail.subject}
                <SpokenContext of={`${mail.to}, ${formatMoment(mail.at)}`} />
              </a>
              <span className="text-sm text-quiet wrap-anywhere">
                {mail.to} · {formatMoment(mail.at)}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
