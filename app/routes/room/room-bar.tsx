import { LogOut } from "lucide";
import { paths } from "../../paths.ts";
import { buttonClasses } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Icon } from "../../ui/layout/icon.tsx";
import type { PanelProps } from "../../ui/trade/types.ts";
import { PresenceMark } from "./seats/presence-mark.tsx";

/** The head of a room: the back link, its name, the other person and their presence, and the link to leave. */
export function RoomBar({ room, seats }: Pick<PanelProps, "room" | "seats">) {
  const t = useT();
  const other = seats.find(({ me }) => !me);
  return (
    <div className="flex min-h-12 items-center gap-3">
      <a
        href={paths.chat}
        className="inline-flex min-h-11 min-w-11 shrink-0 items-center font-semibold text-brand underline underline-offset-4"
      >
        {t("room.back")}
      </a>
      <div className="min-w-0 grow">
        <h1 className="line-clamp-2 text-base leading-tight font-extrabold wrap-anywhere sm:text-lg lg:text-xl">
          {room.name}
        </h1>
        <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
          {other ? <span className="wrap-anywhere">{other.name}</span> : t("room.alone")}
          <span className="max-sm:sr-only">{t("room.participants", { count: seats.length })}</span>
          {other && <PresenceMark of={other.id} />}
        </p>
      </div>
      <a
        href="?dialog=leave"
        title={t("room.leave")}
        className={`${buttonClasses("plain")} shrink-0 max-sm:size-11 max-sm:p-0`}
      >
        <Icon of={LogOut} className="size-5" />
        <span className="max-sm:sr-only">{t("room.leave")}</span>
      </a>
    </div>
  );
}
