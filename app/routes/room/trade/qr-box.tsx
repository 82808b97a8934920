import { formatMoney } from "#format";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Countdown } from "../../../ui/trade/progress/clocks.tsx";
import type { PaymentQr } from "../../../ui/trade/types.ts";

/**
 * The QR for both parties; the ways to pay for the buyer only. A phone cannot scan its own screen, so there the bank links come first.
 * `recheck` is the trade whose payment is checked when the buyer returns from a bank's app.
 */
export function QrBox(props: {
  qr: PaymentQr;
  serverNow: string;
  gross: number;
  lifetime: string;
  pays: boolean;
  recheck: number | null;
}) {
  const t = useT();
  const { qr } = props;
  if (qr.expired) {
    return (
      <p className="font-semibold text-warn">{t(props.pays ? "trade.qrExpired" : "trade.qrExpiredSeller")}</p>
    );
  }
  return (
    <div className="grid gap-4" data-recheck={props.recheck ?? undefined}>
      {props.pays && <BankApps links={qr.links} />}
      <Picture {...props} />
      {props.recheck !== null && (
        <p role="status" hidden data-checking className="text-center font-semibold text-brand">
          {t("trade.checking")}
        </p>
      )}
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

function Picture({ qr, serverNow, gross, lifetime }: Parameters<typeof QrBox>[0]) {
  const t = useT();
  return (
    <div className="grid justify-items-center gap-2">
      <img
        src={qr.image}
        alt={t("trade.qrAlt", { sum: formatMoney(gross) })}
        width={240}
        height={240}
        loading="eager"
        fetchPriority="high"
        data-qr
        className="rounded-lg bg-white p-2 text-black"
      />
      <p role="alert" hidden data-qr-failed className="font-semibold text-bad">
        {t("trade.qrFailed")}
      </p>
      <p className="text-center text-sm">
        {t("trade.qrValid")} <Countdown until={qr.expiresAt} serverNow={serverNow} near={120} />
      </p>
      <p className="text-center text-sm text-quiet">{t("trade.qrLifetime", { span: lifetime })}</p>
      <a
        href="?"
        className="inline-flex min-h-11 items-center text-sm text-brand underline underline-offset-4"
      >
        {t("trade.qrAgain")}
      </a>
    </div>
  );
}

function BankApps({ links }: Pick<PaymentQr, "links">) {
  const t = useT();
  return (
    <section aria-label={t("trade.bankApps")} className="grid gap-2 pointer-fine:sm:order-last">
      <h3 className="font-semibold">{t("trade.bankApps")}</h3>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] gap-1.5">
        {links.map((bank) => (
          <li key={bank.name} className="grid">
            <a
              href={bank.link}
              data-bank-app
              className="inline-flex min-h-11 items-center justify-center rounded-control border border-edge px-0.5 py-1 text-center text-xs leading-tight font-semibold wrap-anywhere no-underline hover:bg-brand-soft"
            >
              {bank.name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
