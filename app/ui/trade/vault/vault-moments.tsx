import { formatLongMoment } from "#format";
import type { VaultView } from "#views/escrow";
import { useLanguage, useT } from "../../frame/i18n.tsx";
import { Card } from "../../layout/card.tsx";
import { FactList } from "../../layout/fact-list.tsx";

/** When the vault was sealed, opened and destroyed. Both parties see the same, which settles "I never got it". */
export function VaultMoments({ vault, title }: { vault: VaultView; title?: string }) {
  const t = useT();
  const language = useLanguage();
  if (vault.sealedAt === null) return null;
  const rows = [
    { label: t("vault.when.sealed"), value: formatLongMoment(vault.sealedAt, language) },
    {
      label: t("vault.when.opened"),
      value: vault.openedAt === null ? t("vault.when.notOpened") : formatLongMoment(vault.openedAt, language),
    },
  ];
  if (vault.openedCount > 1) {
    rows.push({ label: t("vault.when.count"), value: t("vault.when.times", { times: vault.openedCount }) });
  }
  if (vault.destroyedAt !== null) {
    rows.push({ label: t("vault.when.destroyed"), value: formatLongMoment(vault.destroyedAt, language) });
  }
  return (
    <Card title={title ?? t("vault.when.title")}>
      <FactList rows={rows} />
      {vault.earlier.length > 0 && (
        <>
          <h3 className="font-semibold">{t("vault.when.earlier")}</h3>
          {vault.earlier.map(({ sealedAt, openedAt }) => (
            <FactList
              key={sealedAt}
              rows={[
                { label: t("vault.when.sealed"), value: formatLongMoment(sealedAt, language) },
                {
                  label: t("vault.when.opened"),
                  value: openedAt === null ? t("vault.when.notOpened") : formatLongMoment(openedAt, language),
                },
              ]}
            />
          ))}
        </>
      )}
    </Card>
  );
}
