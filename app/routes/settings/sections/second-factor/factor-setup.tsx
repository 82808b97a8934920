import { ExternalLink } from "lucide";
import type { ReactNode } from "react";
import { confirmSecondFactorInput } from "#forms/identity";
import { Button, buttonClasses } from "../../../../ui/forms/button.tsx";
import { CopyableValue } from "../../../../ui/forms/copyable-value.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { Icon } from "../../../../ui/layout/icon.tsx";
import { Steps } from "../../../../ui/layout/steps.tsx";
import { CodeField } from "./code-field.tsx";

interface SetupKeyProps {
  secret: string;
  /** The content of the QR: `otpauth://…`. */
  uri: string;
  /** The QR as a data URI. */
  qr: string;
  account: string;
}

/** Before a key exists: the reasons, and the button that makes one. */
export function BeginFactorForm({ to }: { to: string }) {
  const t = useT();
  return (
    <Card>
      <p>{t("settings.factor.why")}</p>
      <PostForm name="begin" to={to}>
        <Button className="justify-self-start">{t("settings.setup.begin")}</Button>
      </PostForm>
    </Card>
  );
}

/** The three steps: install an app, add the key, enter its first code. */
export function FactorSetup({
  shown,
  posted,
  to,
}: {
  shown: SetupKeyProps;
  posted: PostedForm | null;
  to: string;
}) {
  const t = useT();
  const [form, fields] = usePostedForm("confirm", confirmSecondFactorInput, posted);
  const steps = [
    { key: "app", body: <p>{t("settings.setup.app")}</p> },
    { key: "scan", body: <SetupKey {...shown} /> },
    {
      key: "enter",
      body: (
        <Step text={t("settings.setup.enter")}>
          <PostForm name="confirm" to={to} form={form}>
            <CodeField label={t("settings.setup.code")} field={fields.code} digits />
            <Button className="justify-self-start">{t("settings.setup.turnOn")}</Button>
          </PostForm>
        </Step>
      ),
    },
  ];
  return (
    <Card>
      <Steps steps={steps} />
      <PostForm name="begin" to={to} className="border-t border-line pt-3">
        <Button look="quiet">{t("settings.setup.again")}</Button>
      </PostForm>
    </Card>
  );
}

/** A step with a form or a key, which needs the whole width: in a narrow window it stands below its number. */
function Step({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="grid gap-4 pb-3 max-[22rem]:-ml-11 max-[22rem]:pt-8">
      <p>{text}</p>
      {children}
    </div>
  );
}

function SetupKey({ secret, uri, qr, account }: SetupKeyProps) {
  const t = useT();
  return (
    <Step text={t("settings.setup.scan")}>
      <img
        src={qr}
        width={224}
        height={224}
        alt={t("settings.setup.qr")}
        className="rounded-control border border-line bg-white"
      />
      <p className="text-quiet">{t("settings.setup.same")}</p>
      <a href={uri} className={`${buttonClasses("plain")} justify-self-start`}>
        <Icon of={ExternalLink} />
        {t("settings.setup.open")}
      </a>
      <CopyableValue label={t("settings.setup.account")} value={account} />
      <CopyableValue label={t("settings.setup.key")} value={secret} shown={groupByFours(secret)} />
    </Step>
  );
}

/** A key in groups of four, as people read it aloud. */
function groupByFours(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, "$1 ");
}
