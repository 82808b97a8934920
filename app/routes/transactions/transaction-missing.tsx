import { TriangleAlert } from "lucide";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page } from "../../ui/layout/card.tsx";
import { Icon } from "../../ui/layout/icon.tsx";

/** Shown for a trade that does not exist or is another person's: the text is the same for both. */
export function TransactionMissing() {
  const t = useT();
  return (
    <Page width="narrow">
      <section className="grid justify-items-center gap-4 rounded-card border border-line bg-card p-6 text-center sm:p-8">
        <span className="grid size-16 place-items-center rounded-full bg-warn-soft text-warn">
          <Icon of={TriangleAlert} className="size-8" />
        </span>
        <h1 className="text-2xl font-extrabold tracking-tight text-balance">{t("transaction.notShown")}</h1>
        <p className="text-balance text-quiet">{t("transaction.loadFailed")}</p>
        <div className="flex flex-wrap justify-center gap-2">
          <ButtonLink to={paths.history} look="primary">
            {t("transaction.toHistory")}
          </ButtonLink>
          <ButtonLink to={paths.support}>{t("pages.support")}</ButtonLink>
        </div>
      </section>
    </Page>
  );
}
