import { money } from "#format";
import { useT } from "../i18n.tsx";
import { Summary } from "./summary.tsx";
import type { Qr } from "./types.ts";

/** The QR for both sides; the ways to pay for the buyer alone. A phone cannot scan its own screen, so there the buttons come first. */
export function QrBox(props: { qr: Qr; serverNow: string; gross: number; pays: boolean }) {
  const t = useT();
  const { qr } = props;
  if (qr.expired) return <p className="font-semibold text-warn">{t("trade.qrExpired")}</p>;
  return (
    <div className="grid gap-3">
      {props.pays && <BankApps links={qr.links} />}
      <img
        src={qr.image}
        alt={t("trade.qrAlt", { sum: money(props.gross) })}
        width={240}
        height={240}
        className="justify-self-center rounded-lg bg-white p-2"
      />
      <p className="text-center text-sm">
        {t("trade.qrValid")}{" "}
        <time
          data-countdown={qr.expiresAt}
          data-now={props.serverNow}
          dateTime={qr.expiresAt}
          className="tabular-nums"
        >
          {t("trade.qrMinutes")}
        </time>
      </p>
      {props.pays && qr.sandboxPage && (
        <a
          href={qr.sandboxPage}
          className="inline-flex min-h-11 items-center justify-center text-center font-semibold text-brand underline"
        >
          {t("trade.sandboxPay")}
        </a>
      )}
      <p className="text-sm text-quiet">{t("trade.onlyNotice")}</p>
    </div>
  );
}

function BankApps({ links }: Pick<Qr, "links">) {
  const t = useT();
  return (
    <details id="details-banks" className="rounded-control border border-line px-3 sm:order-last">
      <Summary>{t("trade.bankApps")}</Summary>
      <ul className="flex flex-wrap gap-2 pb-3">
        {links.map((bank) => (
          <li key={bank.name}>
            <a
              href={bank.link}
              className="inline-flex min-h-11 items-center rounded-control border border-line px-3 text-sm font-semibold"
            >
              {bank.name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
