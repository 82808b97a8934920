import { formatLongDay } from "#format";
import type { SecondFactor } from "#views/identity";
import { paths } from "../../../../paths.ts";
import { Button, ButtonLink } from "../../../../ui/forms/button.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { Badge } from "../../../../ui/layout/badge.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { Notice } from "../../../../ui/layout/notice.tsx";

/** A person with this many recovery codes or fewer is warned. */
const lowRecoveryCodeCount = 3;

/** The state of the second factor, and links to turn it on or off and to get new recovery codes. */
export function FactorSection({ factor }: { factor: SecondFactor }) {
  const t = useT();
  return (
    <Card id="factor" title={t("settings.factor.title")}>
      {factor.on ? (
        <FactorStatus factor={factor} />
      ) : (
        <>
          <p className="text-quiet">{t("settings.factor.why")}</p>
          <PostForm name="begin" to={paths.settingsFactor}>
            <div className="flex flex-wrap items-center gap-3">
              <Button>{t("settings.factor.setUp")}</Button>
              <Badge tone="quiet">{t("settings.factor.off")}</Badge>
            </div>
          </PostForm>
        </>
      )}
    </Card>
  );
}

function FactorStatus({ factor }: { factor: SecondFactor }) {
  const t = useT();
  const language = useLanguage();
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Badge tone="good">{t("settings.factor.on")}</Badge>
        {factor.since && (
          <span className="text-quiet">
            {t("settings.factor.since", { date: formatLongDay(factor.since, language) })}
          </span>
        )}
      </p>
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
