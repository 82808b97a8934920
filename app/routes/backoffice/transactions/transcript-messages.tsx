import { formatMoment } from "#format";
import type { Transcript as TranscriptView } from "#views/escrow";
import { useT } from "../../../ui/frame/i18n.tsx";
import { MidmanMark } from "../../../ui/layout/midman-mark.tsx";

/** A read-only conversation; Midman's notices are set apart under its mark. */
export function Transcript({ messages }: Pick<TranscriptView, "messages">) {
  const t = useT();
  return (
    <ol className="grid gap-3">
      {messages.map(({ seq, at, from, kind, text, quote, about }) => (
        <li
          key={seq}
          data-seq={seq}
          className={`grid gap-1 border-l-4 py-1 pl-3 ${kind === "notice" ? "border-khadag bg-sunk" : "border-line"}`}
        >
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-quiet">
            {kind === "notice" && <MidmanMark className="size-4 text-khadag" />}
            <strong className="text-ink wrap-anywhere">{from?.displayName ?? t("brand")}</strong>
            {from?.role && <span>{t(`roles.${from.role}`)}</span>}
            <time dateTime={at} className="tabular-nums">
              {formatMoment(at)}
            </time>
          </p>
          {quote && (
            <blockquote
              data-quote={quote.seq}
              className="border-l-4 border-line bg-sunk px-2 py-1 text-sm wrap-anywhere"
            >
              <strong>{quote.by}</strong> {quote.text || t("admin.transcript.picture")}
            </blockquote>
          )}
          {kind === "image" && <p className="text-sm text-quiet">{t("admin.transcript.picture")}</p>}
          {text !== "" && <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}
          {about && <bdi className="font-bold text-brand wrap-anywhere">{about}</bdi>}
        </li>
      ))}
    </ol>
  );
}
