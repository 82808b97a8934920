import { Download } from "lucide";
import { formatMoney } from "#format";
import { paths } from "../../../paths.ts";
import { buttonClasses } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { Countdown } from "../../../ui/trade/progress/clocks.tsx";
import type { PaymentQr } from "../../../ui/trade/types.ts";
import { FoldedBankApps, PhoneBankApps } from "./paying/bank-apps.tsx";
import { InAppWayOut } from "./paying/in-app-browser.tsx";

/**
 * The QR for both parties; the ways to pay for the buyer only. A phone cannot scan its own screen, so there the bank links come first.
 * `recheck` is the trade whose payment is checked when the buyer returns from a bank's app.
 */
export function QrBox(props: {
  qr: PaymentQr;
  serverNow: string;
  gross: number;
  room: number;
  trade: number;
  code: string;
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
      {props.pays && (
        <>
          <InAppWayOut roomId={props.room} />
          <PhoneBankApps links={qr.links} roomId={props.room} />
          <a
            href={paths.transactionQr(props.trade)}
            data-save-picture={`Midman-${props.code}.png`}
            className={`${buttonClasses("plain")} pointer-fine:sm:hidden`}
          >
            <Icon of={Download} className="size-5" />
            {t("trade.saveQr")}
          </a>
        </>
      )}
      <Picture {...props} />
      {props.recheck !== null && (
        <p role="status" hidden data-checking className="text-center font-semibold text-brand">
          {t("trade.checking")}
        </p>
      )}
      {props.pays && <FoldedBankApps links={qr.links} roomId={props.room} />}
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

function Picture({ qr, serverNow, gross, pays }: Parameters<typeof QrBox>[0]) {
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
        {t("trade.qrValid")} <Countdown until={qr.expiresAt} serverNow={serverNow} near={120} short />
      </p>
      <p className="text-center text-sm text-quiet">{t(pays ? "trade.qrEnd.buyer" : "trade.qrEnd.seller")}</p>
      <a
        href="?"
        className="inline-flex min-h-11 items-center text-sm text-brand underline underline-offset-4"
      >
        {t("trade.qrAgain")}
      </a>
    </div>
  );
}
