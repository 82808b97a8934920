import { formatMoney } from "#format";
import { paths } from "../../paths.ts";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import type { PanelProps } from "../../ui/trade/types.ts";
import { Dialog } from "../rooms/dialog.tsx";

/** Asks before leaving, and explains what leaving means; with money in the room, why it cannot be left. */
export function LeaveRoom({ room, trade }: Pick<PanelProps, "room" | "trade">) {
  const t = useT();
  const held = trade?.held ?? 0;
  if (held > 0) {
    return (
      <Dialog title={t("room.leaveHeldTitle")} close={paths.room(room.id)}>
        <Notice tone="warn">
          <p>{t("room.leaveHeld", { sum: formatMoney(held) })}</p>
        </Notice>
        <ButtonLink to={paths.room(room.id)} className="justify-self-start">
          {t("room.leaveBack")}
        </ButtonLink>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("room.leaveSure")} close={paths.room(room.id)}>
      <p>{t(trade === null ? "room.leaveSeat" : "room.leaveHides")}</p>
      <PersonForm className="flex flex-wrap gap-2">
        <input type="hidden" name="form" value="leave" />
        <Button look="danger">{t("room.leave")}</Button>
        <ButtonLink to={paths.room(room.id)}>{t("chat.cancel")}</ButtonLink>
      </PersonForm>
    </Dialog>
  );
}
