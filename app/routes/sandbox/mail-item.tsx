import { useLoaderData } from "react-router";
import { notFound, parseId } from "#app/server/pages/page-context";
import { formatMoment } from "#format";
import { readMail } from "#modules/mailer";
import { paths } from "../../paths.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/mail-item.ts";

export async function loader({ params }: Route.LoaderArgs) {
  const read = await readMail(parseId(params.id));
  if (!read.ok) throw notFound("record");
  const { html: _html, ...mail } = read.mail;
  return { mail };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.mail.subject }];

export default function SandboxMailItem() {
  const t = useT();
  const { mail } = useLoaderData<typeof loader>();
  return (
    <Page>
      <a
        href={paths.sandboxMail}
        className="inline-flex min-h-11 items-center justify-self-start font-semibold text-brand underline wrap-anywhere"
      >
        {t("sandbox.mailbox")}
      </a>
      <h1 className="text-2xl font-extrabold tracking-tight wrap-anywhere sm:text-3xl">{mail.subject}</h1>
      <p className="text-sm text-quiet wrap-anywhere">
        {mail.from} → {mail.to} · {formatMoment(mail.at)}
      </p>
      <a
        href={paths.sandboxMailHtml(mail.id)}
        className="inline-flex min-h-11 items-center justify-self-start font-semibold text-brand underline underline-offset-4"
      >
        {t("sandbox.asMail")}
      </a>
      <Card>
        <p className="whitespace-pre-wrap wrap-anywhere">{mail.text}</p>
        <ul className="grid gap-2">
          {mail.links.map((link) => (
            <li key={link}>
              <a
                href={link}
                className="inline-flex min-h-11 items-center font-semibold text-brand underline wrap-anywhere"
              >
                {link}
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
