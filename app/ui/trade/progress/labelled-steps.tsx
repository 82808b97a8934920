import { Ban, Check } from "lucide";
import { Fragment } from "react";
import { useT } from "../../frame/i18n.tsx";
import { Icon } from "../../layout/icon.tsx";
import { findNextMark, type LineProps, type MarkPlace, placeOfMark, tradeMarks } from "./trade-line.tsx";

/**
 * The steps of a trade by name, as many on a line as fit. `end`: how a trade ended before its last step; the steps that it did not reach are
 * left out, because none of them is to come. `pendingRequest`: the label of a request that has to be answered now; the next step is then
 * still to come.
 */
export function LabelledSteps(
  props: LineProps & { end?: string | undefined; pendingRequest?: string | undefined },
) {
  const t = useT();
  const next = findNextMark(props);
  const marks = props.end === undefined ? tradeMarks : tradeMarks.filter((mark) => props.done.includes(mark));
  return (
    <ol aria-label={t("line.label")} className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {marks.map((mark) => {
        const at = placeOfMark(mark, props.done, next);
        const isAsked = at === "now" && props.pendingRequest !== undefined;
        return (
          <Fragment key={mark}>
            {isAsked && <Step label={props.pendingRequest} at="now" />}
            <Step label={t(`line.${mark}`)} at={isAsked ? "toCome" : at} />
          </Fragment>
        );
      })}
      {props.end !== undefined && (
        <li className={`${stepClasses} font-bold`}>
          <Icon of={Ban} className="size-4" />
          <span className="min-w-0 wrap-anywhere">{props.end}</span>
        </li>
      )}
    </ol>
  );
}

function Step({ label, at }: { label: string | undefined; at: MarkPlace }) {
  const t = useT();
  return (
    <li aria-current={at === "now" ? "step" : undefined} className={`${stepClasses} ${stepLooks[at]}`}>
      {at === "done" && <Icon of={Check} className="size-4 text-khadag" />}
      {at === "now" && <span aria-hidden="true" className="size-2.5 rounded-full bg-khadag" />}
      <span className="relative min-w-0 wrap-anywhere">
        {label} <span className="sr-only">{t(`line.${at}`)}</span>
      </span>
    </li>
  );
}

/** A step stays in one line, except where large text leaves too few letters to one. */
const stepClasses = "inline-flex min-w-0 items-center gap-1 whitespace-nowrap max-[22rem]:whitespace-normal";

const stepLooks: Record<MarkPlace, string> = {
  done: "",
  now: "font-bold text-brand",
  skipped: "text-quiet line-through",
  toCome: "text-quiet",
};
