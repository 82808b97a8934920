import type { ReactNode } from "react";
import { formatLastSeen } from "#format";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import type { SeatShown } from "../../../ui/trade/types.ts";

/**
 * Whether a member is present, or when they were last here. The server shows what it knows, and the room's script every change. Of whom the
 * server knows nothing is offline here as in the script, so that nothing moves; another instance's presence arrives with the first frames.
 */
export function PresenceMark({ of, now, children }: { of: SeatShown; now: string; children?: ReactNode }) {
  const t = useT();
  const language = useLanguage();
  const { lastSeenAt } = of;
  const presence = of.me ? undefined : (of.presence ?? "offline");
  const seen = of.me || lastSeenAt === null ? "" : lastSeenAt;
  const lastSeen = seen && t("room.lastSeen", { when: formatLastSeen(seen, now, language) });
  return (
    <span
      data-presence-of={of.id}
      data-seen={of.me ? undefined : seen}
      data-presence={presence}
      className="group invisible inline-flex items-center gap-1.5 whitespace-nowrap max-[22rem]:whitespace-normal data-presence:visible"
    >
      <span
        aria-hidden="true"
        className="size-2 rounded-full bg-edge group-data-[presence=away]:bg-warn group-data-[presence=busy]:bg-bad group-data-[presence=offline]:hidden group-data-[presence=online]:bg-good"
      />
      <span data-presence-word>
        {presence === "offline" && lastSeen ? lastSeen : presence && t(`room.presence.${presence}`)}
      </span>
      {children}
    </span>
  );
}
