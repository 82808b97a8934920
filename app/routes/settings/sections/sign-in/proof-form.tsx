import type { ReactNode } from "react";
import { confirmPasswordInput } from "#forms/identity";
import { Button, ButtonLink, type ButtonLook } from "../../../../ui/forms/button.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { ProofFields } from "./proof-fields.tsx";

/** Asks a person to prove their identity again: the password and, if the second factor is on, a code. */
export function ProofForm(props: {
  name: string;
  to: string;
  username: string;
  withCode: boolean;
  posted: PostedForm | null;
  submit: ReactNode;
  look?: ButtonLook;
  cancel: string;
}) {
  const t = useT();
  const [form, fields] = usePostedForm(props.name, confirmPasswordInput, props.posted);
  return (
    <PostForm name={props.name} to={props.to} form={form}>
      <input type="hidden" name="username" value={props.username} autoComplete="username" />
      <ProofFields fields={fields} withCode={props.withCode} />
      <div className="flex flex-wrap gap-2">
        <Button look={props.look ?? "primary"}>{props.submit}</Button>
        <ButtonLink to={props.cancel}>{t("chat.cancel")}</ButtonLink>
      </div>
    </PostForm>
  );
}
