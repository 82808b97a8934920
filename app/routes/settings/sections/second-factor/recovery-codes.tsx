import { Download, Printer } from "lucide";
import { paths } from "../../../../paths.ts";
import { Button, ButtonLink } from "../../../../ui/forms/button.tsx";
import { CopyButton } from "../../../../ui/forms/copyable-value.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { Icon } from "../../../../ui/layout/icon.tsx";
import { Notice } from "../../../../ui/layout/notice.tsx";

/**
 * Recovery codes, shown only in the response that made them: to copy, save as a file or print. The file is made from what this page posts
 * back, since the server no longer has the codes. `onward`: where the person was going.
 */
export function RecoveryCodes(props: { codes: string[]; username: string; onward?: string | null }) {
  const { codes, username } = props;
  const t = useT();
  return (
    <Card label={t("settings.codes.list")}>
      <Notice tone="warn">
        <p>{t("settings.codes.once")}</p>
      </Notice>
      <p className="font-semibold wrap-anywhere">{t("settings.codes.of", { username })}</p>
      <ol className="grid gap-x-6 gap-y-2 rounded-control bg-sunk p-4 font-mono text-lg tabular-nums sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="wrap-anywhere">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2" data-noprint>
        <PostForm name="codes" to={paths.settingsCodesFile} className="contents">
          <input type="hidden" name="codes" value={codes.join(" ")} />
          <Button look="plain">
            <Icon of={Download} className="size-4" />
            {t("settings.codes.download")}
          </Button>
        </PostForm>
        <CopyButton value={codes.join("\n")} label={t("settings.codes.copy")} />
        <Button type="button" look="plain" hidden data-print>
          <Icon of={Printer} className="size-4" />
          {t("settings.codes.print")}
        </Button>
      </div>
      <div data-noprint>
        <ButtonLink to={props.onward ?? `${paths.settings}#factor`} look="primary">
          {t("settings.codes.kept")}
        </ButtonLink>
      </div>
    </Card>
  );
}
