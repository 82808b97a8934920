import { Check } from "lucide";
import { useT } from "../../frame/i18n.tsx";
import { Icon } from "../../layout/icon.tsx";
import { findNextMark, type LineProps, type MarkPlace, placeOfMark, tradeMarks } from "./trade-line.tsx";

/** The steps of a trade by name, as many on a line as fit. */
export function LabelledSteps(props: LineProps) {
  const t = useT();
  const next = findNextMark(props);
  return (
    <ol aria-label={t("line.label")} className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {tradeMarks.map((mark) => {
        const at = placeOfMark(mark, props.done, next);
        return (
          <li
            key={mark}
            aria-current={at === "now" ? "step" : undefined}
            className={`inline-flex items-center gap-1 whitespace-nowrap ${stepLooks[at]}`}
          >
            {at === "done" && <Icon of={Check} className="size-4 text-khadag" />}
            {at === "now" && <span aria-hidden="true" className="size-2.5 rounded-full bg-khadag" />}
            {t(`line.${mark}`)} <span className="sr-only">{t(`line.${at}`)}</span>
          </li>
        );
      })}
    </ol>
  );
}

const stepLooks: Record<MarkPlace, string> = {
  done: "",
  now: "font-bold text-brand",
  skipped: "text-quiet line-through",
  toCome: "text-quiet",
};
