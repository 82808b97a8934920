import { useT } from "./i18n.tsx";
import { Toast } from "./toast.tsx";
import { useVisit } from "./visit.tsx";

/**
 * Lets the forms inside `[data-part]` and the dialogs of a page answer without leaving it: names the script that is loaded when the page is
 * first used (app/enhance/in-place-on-use.ts) and the person for whom the page was rendered, and holds what it shows if a form does not
 * reach Midman.
 */
export function InPlaceForms() {
  const t = useT();
  const { inPlace, person } = useVisit();
  return (
    <template data-unsent data-in-place={inPlace} data-user={person?.userId}>
      <Toast
        toast={{ kind: "error", key: "toast.unsent" }}
        action={
          <button type="button" data-retry className="min-h-11 cursor-pointer underline underline-offset-4">
            {t("toast.retry")}
          </button>
        }
      />
    </template>
  );
}
