import { QrCode, RefreshCw, Share2 } from "lucide";
import { paths } from "../../paths.ts";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { CopyableValue } from "../../ui/forms/copyable-value.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { Icon } from "../../ui/layout/icon.tsx";
import { Dialog } from "./dialog.tsx";
import type { InviteShown } from "./types.ts";

/**
 * The code and link that invite the other person: to be sent, copied, shown as a QR, or renewed. Both can be selected as text; the copy and
 * share buttons appear only if scripts run. `close` is where closing leads; null if the card stays, for a room without another member. `on`
 * is the page that shows it; `awaited` the person from an earlier room for whom this one was opened.
 */
export function InviteCard(
  props: InviteShown & { room: string; close: string | null; on: "list" | "room"; awaited?: string | null },
) {
  const t = useT();
  return (
    <Dialog
      title={props.on === "room" ? t("chat.waits.invite") : t("chat.inviteTo", { room: props.room })}
      close={props.close}
    >
      {props.awaited && (
        <p className="font-semibold wrap-anywhere">{t("chat.inviteAgain", { name: props.awaited })}</p>
      )}
      <p className="text-sm text-quiet">{t("chat.inviteLead")}</p>
      <CopyableValue label={t("chat.link")} value={props.link} />
      <CopyableValue label={t("chat.code")} value={props.code} />
      <Button
        type="button"
        hidden
        data-share={props.link}
        data-share-title={props.room}
        className="justify-self-start"
      >
        <Icon of={Share2} className="size-5" />
        {t("chat.share")}
      </Button>
      <div className="grid gap-2">
        <Disclosure
          summary={
            <span className="flex items-center gap-2">
              <Icon of={QrCode} className="size-5" />
              {t("chat.qr")}
            </span>
          }
        >
          <img
            src={props.qr}
            alt={t("chat.qrAlt")}
            width={196}
            height={196}
            className="justify-self-center rounded-control"
          />
          <p className="text-center text-sm text-quiet">{t("chat.qrHint")}</p>
        </Disclosure>
        <RenewInviteForm {...props} />
      </div>
      {props.close !== null && (
        <ButtonLink to={props.close} className="justify-self-start">
          {t("chat.close")}
        </ButtonLink>
      )}
    </Dialog>
  );
}

/** Makes a new code and link after a confirmation; returns to the page where it was asked. */
function RenewInviteForm({ roomId, on }: { roomId: number; on: "list" | "room" }) {
  const t = useT();
  return (
    <Disclosure
      summary={
        <span className="flex items-center gap-2">
          <Icon of={RefreshCw} className="size-5" />
          {t("chat.renew")}
        </span>
      }
    >
      <PersonForm action={paths.chat} className="grid gap-3">
        <input type="hidden" name="form" value="renew-invite" />
        <input type="hidden" name="room" value={roomId} />
        <input type="hidden" name="on" value={on} />
        <p>{t("chat.renewAsk")}</p>
        <Button look="danger" className="justify-self-start">
          {t("chat.renew")}
        </Button>
      </PersonForm>
    </Disclosure>
  );
}
