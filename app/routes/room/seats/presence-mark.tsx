import type { ReactNode } from "react";
import { formatLastSeen } from "#format";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import type { SeatShown } from "../../../ui/trade/types.ts";

/** Somebody seen less long ago than this, in ms, may still be here: an instance that has just died, or one that this one does not hear. */
const surelyGoneMs = 3 * 60_000;

/**
 * Whether a member is present, or when they were last here. The server shows what it knows for sure; the room's script the rest, and every
 * change. Until then the space is reserved, so that nothing moves.
 */
export function PresenceMark({ of, now, children }: { of: SeatShown; now: string; children?: ReactNode }) {
  const t = useT();
  const language = useLanguage();
  const { lastSeenAt } = of;
  const isGone = lastSeenAt !== null && Date.parse(now) - Date.parse(lastSeenAt) > surelyGoneMs;
  const presence = of.me ? undefined : (of.presence ?? (isGone ? "offline" : undefined));
  const seen = of.me || lastSeenAt === null ? "" : lastSeenAt;
  const lastSeen = seen && t("room.lastSeen", { when: formatLastSeen(seen, now, language) });
  return (
    <span
      data-presence-of={of.id}
      data-seen={of.me ? undefined : seen}
      data-presence={presence}
      className={`group invisible inline-flex items-center gap-1.5 whitespace-nowrap data-presence:visible ${presence ? "" : "noscript:hidden"}`}
    >
      <span
        aria-hidden="true"
        className="size-2 rounded-full bg-edge group-data-[presence=away]:bg-warn group-data-[presence=busy]:bg-bad group-data-[presence=offline]:hidden group-data-[presence=online]:bg-good"
      />
      <span data-presence-word>
        {presence && presence !== "offline" ? t(`room.presence.${presence}`) : lastSeen}
      </span>
      {children}
    </span>
  );
}
