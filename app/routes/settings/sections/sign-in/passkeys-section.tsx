import { KeyRound } from "lucide";
import { formatTimeAgo } from "#format";
import { passkeyLimits, renamePasskeyInput } from "#forms/identity";
import type { OwnPasskey } from "#views/identity";
import { paths } from "../../../../paths.ts";
import { Button, ButtonLink } from "../../../../ui/forms/button.tsx";
import { Field } from "../../../../ui/forms/field.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { Badge } from "../../../../ui/layout/badge.tsx";
import { Icon } from "../../../../ui/layout/icon.tsx";
import { Notice } from "../../../../ui/layout/notice.tsx";
import { SettingRow } from "../setting-row.tsx";

interface Props {
  passkeys: OwnPasskey[];
  /** The passkey that the address asks to rename or remove. */
  asked: { rename: number; remove: number };
  posted: PostedForm | null;
  now: string;
}

/** A person's passkeys, each with its name and last use, and forms to add, rename and remove one. */
export function PasskeysSection({ passkeys, asked, posted, now }: Props) {
  const t = useT();
  return (
    <SettingRow
      id="passkeys"
      value={
        passkeys.some(({ copied }) => copied) ? (
          <Badge tone="warn">{t("settings.passkeys.copiedBadge")}</Badge>
        ) : (
          passkeys.length
        )
      }
      open={passkeys.some(({ id, copied }) => copied || id === asked.rename || id === asked.remove)}
    >
      <p className="text-quiet">
        {t("settings.passkeys.why")} {t("settings.passkeys.beside")}
      </p>
      {passkeys.length > 0 && (
        <ul className="grid divide-y divide-line">
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              id={`passkey-${passkey.id}`}
              className="grid gap-3 py-4 first:pt-0 last:pb-0"
            >
              <PasskeyItem passkey={passkey} asked={asked} posted={posted} now={now} />
            </li>
          ))}
        </ul>
      )}
      {passkeys.length < passkeyLimits.most ? (
        <ButtonLink to={paths.settingsPasskeyNew} look="primary" className="justify-self-start">
          {t("settings.passkeys.add")}
        </ButtonLink>
      ) : (
        <p className="text-quiet">{t("settings.passkeys.full")}</p>
      )}
    </SettingRow>
  );
}

function PasskeyItem({ passkey, asked, posted, now }: Omit<Props, "passkeys"> & { passkey: OwnPasskey }) {
  const t = useT();
  const language = useLanguage();
  const { id, name, createdAt, lastUsedAt, copied } = passkey;
  const told = [
    lastUsedAt === null
      ? t("settings.passkeys.unused")
      : t("settings.passkeys.used", { when: formatTimeAgo(lastUsedAt, now, language) }),
    t("settings.passkeys.added", { when: formatTimeAgo(createdAt, now, language) }),
  ];
  const renaming = asked.rename === id;
  const removing = asked.remove === id;
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="mr-auto flex min-w-0 items-start gap-3">
          <Icon of={KeyRound} className="mt-0.5 size-6 text-brand" />
          <div className="grid min-w-0 gap-1">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold wrap-anywhere">
              {name}
              {copied && <Badge tone="warn">{t("settings.passkeys.copiedBadge")}</Badge>}
            </p>
            {told.map((line) => (
              <p key={line} className="text-sm text-quiet wrap-anywhere">
                {line}
              </p>
            ))}
          </div>
        </div>
        {!renaming && !removing && (
          <div className="flex flex-wrap gap-2">
            <ButtonLink to={`?rename=${id}#passkey-${id}`}>
              {t("settings.passkeys.rename")}
              <span className="sr-only">{name}</span>
            </ButtonLink>
            <ButtonLink to={`?remove=${id}#passkey-${id}`}>
              {t("settings.passkeys.remove")}
              <span className="sr-only">{name}</span>
            </ButtonLink>
          </div>
        )}
      </div>
      {copied && (
        <Notice tone="bad">
          <p>{t("settings.passkeys.copied")}</p>
        </Notice>
      )}
      {renaming && <RenamePasskeyForm id={id} name={name} posted={posted} />}
      {removing && <RemovePasskeyForm id={id} />}
    </>
  );
}

function RenamePasskeyForm({ id, name, posted }: { id: number; name: string; posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("passkey-rename", renamePasskeyInput, posted, { name });
  return (
    <PostForm name="passkey-rename" to={`${paths.settings}?rename=${id}#passkey-${id}`} form={form}>
      <input type="hidden" name="passkey" value={id} />
      <Field
        label={t("settings.passkeys.name")}
        field={fields.name}
        maxLength={passkeyLimits.name.max}
        autoComplete="off"
        required
      />
      <div className="flex flex-wrap gap-2">
        <Button>{t("settings.passkeys.save")}</Button>
        <ButtonLink to={`${paths.settings}#passkeys`}>{t("chat.cancel")}</ButtonLink>
      </div>
    </PostForm>
  );
}

function RemovePasskeyForm({ id }: { id: number }) {
  const t = useT();
  return (
    <PostForm
      name="passkey-remove"
      to={paths.settings}
      className="grid gap-3 rounded-control border border-bad bg-bad-soft p-4"
    >
      <input type="hidden" name="passkey" value={id} />
      <p className="font-semibold">{t("settings.passkeys.sure")}</p>
      <div className="flex flex-wrap gap-2">
        <Button look="danger">{t("settings.passkeys.remove")}</Button>
        <ButtonLink to={`${paths.settings}#passkeys`}>{t("chat.cancel")}</ButtonLink>
      </div>
    </PostForm>
  );
}
