import { UserX } from "lucide";
import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Page } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";

/** Shown if the user does not exist. */
export function UserMissing() {
  const t = useT();
  return (
    <Page width="narrow">
      <section className="grid justify-items-center gap-4 rounded-card border border-line bg-card p-6 text-center sm:p-8">
        <span className="grid size-16 place-items-center rounded-full bg-warn-soft text-warn">
          <Icon of={UserX} className="size-8" />
        </span>
        <h1 className="text-2xl font-extrabold tracking-tight">{t("admin.users.notFound")}</h1>
        <p className="text-quiet">{t("admin.users.notFoundWhy")}</p>
        <ButtonLink to={paths.adminUsers} look="primary">
          {t("admin.users.back")}
        </ButtonLink>
      </section>
    </Page>
  );
}
