import { useT } from "../frame/i18n.tsx";
import { Button } from "./button.tsx";

/** The button that saves one of several forms of a page; its accessible name says which: “Save Language”. */
export function SaveButton({ what }: { what: string }) {
  const t = useT();
  return (
    <Button className="justify-self-start">
      {t("settings.save")}
      <span className="sr-only">{what}</span>
    </Button>
  );
}
