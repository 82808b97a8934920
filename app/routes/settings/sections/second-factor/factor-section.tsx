import { formatLongDay } from "#format";
import type { SecondFactor } from "#views/identity";
import { paths } from "../../../../paths.ts";
import { Button, ButtonLink } from "../../../../ui/forms/button.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { Notice } from "../../../../ui/layout/notice.tsx";
import { SettingRow } from "../setting-row.tsx";

/** A person with this many recovery codes or fewer is warned. */
const lowRecoveryCodeCount = 3;

/** The state of the second factor, and links to turn it on or off and to get new recovery codes. */
export function FactorSection({ factor }: { factor: SecondFactor }) {
  const t = useT();
  return (
    <SettingRow id="factor" value={t(factor.on ? "settings.state.on" : "settings.state.off")}>
      {factor.on ? (
        <FactorStatus factor={factor} />
      ) : (
        <>
          <p className="text-quiet">{t("settings.factor.why")}</p>
          <PostForm name="begin" to={paths.settingsFactor}>
            <Button className="justify-self-start">{t("settings.factor.setUp")}</Button>
          </PostForm>
        </>
      )}
    </SettingRow>
  );
}

function FactorStatus({ factor }: { factor: SecondFactor }) {
  const t = useT();
  const language = useLanguage();
  return (
    <>
      {factor.since && (
        <p className="text-quiet">
          {t("settings.factor.since", { date: formatLongDay(factor.since, language) })}
        </p>
      )}
      <p className="font-semibold tabular-nums">
        {t("settings.factor.left", { left: factor.recoveryCodesLeft })}
      </p>
      {factor.recoveryCodesLeft <= lowRecoveryCodeCount && (
        <Notice tone="warn">
          <p>{t("settings.factor.few")}</p>
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={paths.settingsCodes}>{t("settings.factor.renew")}</ButtonLink>
        <ButtonLink to={paths.settingsFactorOff} look="danger">
          {t("settings.factor.turnOff")}
        </ButtonLink>
      </div>
    </>
  );
}
