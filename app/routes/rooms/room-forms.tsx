import type { ReactNode } from "react";
import { createRoomInput, joinInput } from "#forms/rooms";
import type { Role } from "#views/rooms";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { ChoiceField, Field, FormErrors, TextField } from "../../ui/forms/field.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../ui/forms/posted-form.ts";
import { useT, useText } from "../../ui/frame/i18n.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import { Dialog } from "./dialog.tsx";

/** Initial values of a new room with the same person as an earlier one. */
export interface RepeatRoom {
  name: string;
  role: Role;
  /** The other person of the earlier room. */
  other: string;
}

/** Creates a room; `again` fills in what is known from an earlier room with the same person. */
export function CreateRoom(props: { posted: PostedForm | null; again: RepeatRoom | null; close: string }) {
  const t = useT();
  const { posted, again, close } = props;
  const first = { role: again?.role ?? "seller", ...(again && { name: again.name }) };
  const [form, fields] = usePostedForm("create", createRoomInput, posted, first);
  return (
    <Dialog title={again ? t("chat.again") : t("chat.create")} close={close} focus={false}>
      {again && <p className="text-quiet wrap-anywhere">{t("chat.againLead", { name: again.other })}</p>}
      <PersonForm className="grid gap-4" noValidate>
        <input type="hidden" name="form" value="create" />
        <FormErrors id={form.errorId} errors={form.errors} />
        <Field label={t("chat.name")} field={fields.name} placeholder={t("chat.namePlaceholder")} autoFocus />
        <TextField label={t("chat.descriptionLabel")} field={fields.description} />
        <ChoiceField
          label={t("chat.myRole")}
          field={fields.role}
          options={[
            { value: "seller", label: t("roles.seller") },
            { value: "buyer", label: t("roles.buyer") },
          ]}
        />
        <DialogButtons close={close}>
          <Button>{t("chat.create")}</Button>
        </DialogButtons>
      </PersonForm>
    </Dialog>
  );
}

/** Takes the free seat of a room by its code, or by its whole link. */
export function JoinRoom({ posted, close }: { posted: PostedForm | null; close: string }) {
  const t = useT();
  const [form, fields] = usePostedForm("join", joinInput, posted);
  return (
    <Dialog title={t("chat.join")} close={close} focus={false}>
      <PersonForm className="grid gap-4" noValidate>
        <input type="hidden" name="form" value="join" />
        <FormErrors id={form.errorId} errors={form.errors} />
        <Field
          label={t("chat.code")}
          field={fields.code}
          autoComplete="off"
          autoCapitalize="characters"
          autoFocus
        />
        <DialogButtons close={close}>
          <Button>{t("chat.join")}</Button>
        </DialogButtons>
      </PersonForm>
    </Dialog>
  );
}

/** A room to be deleted: whether it may be, and whether its trade leaves a record. */
export interface RoomDeletion {
  id: number;
  name: string;
  hasTrade: boolean;
  /** The refusal code that deleting would return. */
  refused: string | null;
}

/** Asks before a room is permanently deleted; if its trade forbids that, gives the reason instead. */
export function DeleteRoom({ room, close }: { room: RoomDeletion; close: string }) {
  const t = useT();
  const text = useText();
  if (room.refused !== null) {
    return (
      <Dialog title={t("chat.notNow")} close={close}>
        <Notice tone="warn" title={room.name}>
          <p>{text(`errors.${room.refused}`)}</p>
        </Notice>
        <DialogButtons close={close} />
      </Dialog>
    );
  }
  return (
    <Dialog title={t("chat.sure")} tone="bad" close={close}>
      <p className="wrap-anywhere">
        {t(room.hasTrade ? "chat.deleteKept" : "chat.deleteWarning", { name: room.name })}
      </p>
      <PersonForm className="grid gap-4">
        <input type="hidden" name="form" value="delete" />
        <input type="hidden" name="room" value={room.id} />
        <DialogButtons close={close}>
          <Button look="danger">{t("chat.delete")}</Button>
        </DialogButtons>
      </PersonForm>
    </Dialog>
  );
}

function DialogButtons({ close, children }: { close: string; children?: ReactNode }) {
  const t = useT();
  return (
    <div className="flex flex-wrap gap-2">
      {children}
      <ButtonLink to={close}>{t(children ? "chat.cancel" : "chat.close")}</ButtonLink>
    </div>
  );
}
