import { useT } from "../../ui/frame/i18n.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Lines } from "./schema-line-list.tsx";
import type { CallRefusal, ShownCall } from "./types.ts";

/** One API call: who may make it, its input, its responses and its refusals. */
export function CallDetails({ call }: { call: ShownCall }) {
  const t = useT();
  return (
    <>
      <p>
        <span className="text-quiet">{t("developers.asker.label")}: </span>
        <strong>{t(`developers.asker.${call.asker}`)}</strong>
      </p>
      {call.parameters.length > 0 && (
        <Card title={t("developers.parameters")}>
          <Lines lines={call.parameters} />
        </Card>
      )}
      {call.body && (
        <Card title={t("developers.body")}>
          {call.body.optional && <p className="text-quiet">{t("developers.bodyOptional")}</p>}
          <Lines lines={call.body.lines} />
        </Card>
      )}
      {call.frames && (
        <>
          <Card title={t("developers.frames.client")}>
            <Lines lines={call.frames.client} />
          </Card>
          <Card title={t("developers.frames.server")}>
            <Lines lines={call.frames.server} />
          </Card>
        </>
      )}
      {call.answers.map(({ status, file, lines }) => (
        <Card key={status} title={t("developers.answer", { status })}>
          {file && <p>{t("developers.file", { type: file })}</p>}
          {lines.length > 0 && <Lines lines={lines} />}
        </Card>
      ))}
      {call.refusals.length > 0 && (
        <Card title={t("developers.refusals")}>
          <Refusals refusals={call.refusals} />
        </Card>
      )}
      <Card title={t("developers.everywhere")}>
        <Refusals refusals={call.everywhere} />
      </Card>
    </>
  );
}

function Refusals({ refusals }: { refusals: readonly CallRefusal[] }) {
  return (
    <ul className="grid gap-2 text-sm">
      {refusals.map(({ status, code, message }) => (
        <li key={code} className="grid gap-x-3 sm:grid-cols-[18rem_minmax(0,1fr)]">
          <span className="font-mono wrap-anywhere">
            {status} <strong>{code}</strong>
          </span>
          <span>{message}</span>
        </li>
      ))}
    </ul>
  );
}
