import { paths } from "../../../../paths.ts";
import { ButtonLink } from "../../../../ui/forms/button.tsx";
import { CopyButton } from "../../../../ui/forms/copyable-value.tsx";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { useVisit } from "../../../../ui/frame/visit.tsx";

/**
 * The way out of the browsers inside Facebook, Messenger and Instagram, which may refuse to open a bank's app: on Android a link that opens
 * the page in Chrome, on an iPhone the address to copy into Safari.
 */
export function InAppWayOut({ roomId }: { roomId: number }) {
  const t = useT();
  const { device, passkey } = useVisit();
  if (device.inApp === null) return null;
  const page = `${passkey.origin}${paths.roomTrade(roomId)}`;
  return (
    <div className="grid gap-2 rounded-control bg-sunk px-3 py-2 text-sm">
      <p>{t(`trade.inApp.${device.inApp}`)}</p>
      {device.inApp === "android" ? (
        <ButtonLink to={intentLink(page, page, "com.android.chrome")}>{t("trade.inApp.chrome")}</ButtonLink>
      ) : (
        <>
          <output className="font-mono text-xs wrap-anywhere">{page}</output>
          <CopyButton value={page} label={t("trade.inApp.copy")} />
        </>
      )}
    </div>
  );
}

/**
 * Android's form of a link: the system opens the app that takes the link's scheme (only `app`, if given); if there is none, the browser goes
 * to `fallback` instead of showing an error.
 */
export function intentLink(link: string, fallback: string, app?: string): string {
  const [scheme = "", ...rest] = link.split("://");
  const only = app === undefined ? "" : `package=${app};`;
  const address = rest.join("://").replaceAll("#", "%23").replaceAll(" ", "%20");
  return `intent://${address}#Intent;scheme=${scheme};${only}S.browser_fallback_url=${encodeURIComponent(fallback)};end`;
}
