import { paths } from "../../../../paths.ts";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { useVisit } from "../../../../ui/frame/visit.tsx";
import { Disclosure } from "../../../../ui/layout/disclosure.tsx";
import type { PaymentQr } from "../../../../ui/trade/types.ts";
import { intentLink } from "./in-app-browser.tsx";

/** How many apps are shown before "More banks": two rows on a phone. */
const firstCount = 6;

type BankLink = PaymentQr["links"][number];
type Props = { links: readonly BankLink[]; roomId: number };

/** The apps on a phone, which cannot scan its own screen: the one that the person used last, the commonest, and the others behind a press. */
export function PhoneBankApps({ links, roomId }: Props) {
  const t = useT();
  const sorted = useSortedApps(links);
  const [first, others] = [sorted.slice(0, firstCount), sorted.slice(firstCount)];
  if (first.length === 0) return null;
  return (
    <section aria-label={t("trade.bankApps")} className="grid gap-2 pointer-fine:sm:hidden">
      <h3 className="font-semibold">{t("trade.bankApps")}</h3>
      <BankGrid links={first} roomId={roomId} />
      {others.length > 0 && (
        <Disclosure id="more-banks" summary={t("trade.moreBanks")}>
          <BankGrid links={others} roomId={roomId} />
        </Disclosure>
      )}
    </section>
  );
}

/** The apps on a wide screen, where the QR code is what one pays with. */
export function FoldedBankApps({ links, roomId }: Props) {
  const t = useT();
  const sorted = useSortedApps(links);
  if (sorted.length === 0) return null;
  return (
    <div className="hidden pointer-fine:sm:block">
      <Disclosure id="banks" summary={t("trade.bankApps")}>
        <BankGrid links={sorted} roomId={roomId} />
      </Disclosure>
    </div>
  );
}

function useSortedApps(links: readonly BankLink[]): BankLink[] {
  const { lastBank } = useVisit().device;
  const isLast = ({ scheme }: BankLink) => scheme === lastBank;
  return [...links.filter(isLast), ...links.filter((link) => !isLast(link))];
}

function BankGrid({ links, roomId }: Props) {
  const language = useLanguage();
  const { device, passkey } = useVisit();
  const page = `${passkey.origin}${paths.roomTrade(roomId)}`;
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(5.75rem,1fr))] gap-1.5">
      {links.map(({ scheme, names, link, logo }) => (
        <li key={scheme} className="grid">
          <a
            href={device.inApp === "android" ? intentLink(link, page) : link}
            data-bank-app={scheme}
            className="grid min-h-18 justify-items-center content-center gap-1 rounded-control border border-edge px-1 py-1.5 text-center text-xs leading-tight font-semibold wrap-anywhere text-ink no-underline hover:bg-brand-soft"
          >
            <BankMark name={names[language]} logo={logo} />
            {names[language]}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The bank's logo if the operator, who needs the bank's leave, has added it; otherwise its first letter. */
function BankMark({ name, logo }: { name: string; logo: string | null }) {
  if (logo !== null) {
    return <img src={logo} alt="" width={28} height={28} loading="lazy" className="size-7 rounded-lg" />;
  }
  return (
    <span
      aria-hidden="true"
      className="grid size-7 place-items-center rounded-full bg-brand-soft text-sm font-bold text-brand"
    >
      {[...name][0]}
    </span>
  );
}
