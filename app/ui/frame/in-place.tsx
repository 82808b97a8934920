import { useT } from "./i18n.tsx";
import { Toast } from "./toast.tsx";
import { useVisit } from "./visit.tsx";

/** The script that posts the forms inside `[data-part]` without leaving the page, on pages whose own script does not. */
export function InPlaceForms() {
  const { inPlace } = useVisit();
  return (
    <>
      <UnsentToast />
      <script type="module" src={inPlace} />
    </>
  );
}

/** What the script shows if a form does not reach Midman; nobody sees it until then. */
export function UnsentToast() {
  const t = useT();
  return (
    <template data-unsent>
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
