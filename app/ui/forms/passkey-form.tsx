import { KeyRound } from "lucide";
import type { ReactNode } from "react";
import { useT } from "../frame/i18n.tsx";
import { useVisit } from "../frame/visit.tsx";
import { Icon } from "../layout/icon.tsx";
import { SuspendedHelp } from "../layout/suspended-help.tsx";
import { Button, type ButtonLook } from "./button.tsx";
import { FormErrors } from "./field.tsx";
import { PersonForm } from "./person-form.tsx";
import type { PostedForm } from "./posted-form.ts";

interface Props {
  /** The form's name on its page. */
  name: string;
  to: string;
  /** The browser's task: sign with a passkey, or create one. */
  does: "get" | "create";
  /** The API call that returns what to sign. */
  options: string;
  /** The sign-in page that the form belongs to, if that call needs it. */
  door?: "login" | "admin_login";
  label: string;
  look?: ButtonLook;
  posted: PostedForm | null | undefined;
  children?: ReactNode;
}

/**
 * A form that a passkey fills in. It is hidden until the script (`enhance/passkey`) has found that this browser supports passkeys: without
 * scripts or support, the person uses the password form beside it.
 */
export function PasskeyForm(props: Props) {
  const t = useT();
  const { passkey } = useVisit();
  const { name, does, posted } = props;
  const error = posted?.form === name ? posted.result.error : undefined;
  const said = [...(error?.[""] ?? []), ...(error?.credential ?? [])];
  const id = `passkey-${name}`;
  return (
    <>
      <PersonForm
        action={props.to}
        hidden
        data-passkey={does}
        data-options={props.options}
        data-door={props.door}
        data-origin={passkey.origin}
        className="grid gap-3 [[hidden]]:hidden"
        noValidate
      >
        <input type="hidden" name="form" value={name} />
        <input type="hidden" name="credential" />
        <FormErrors id={id} errors={said.length > 0 ? said : undefined} />
        <SuspendedHelp errors={said} />
        <div role="alert" className="grid font-semibold text-bad empty:hidden">
          <ScriptMessage what="stopped">
            {t(does === "create" ? "passkey.notMade" : "passkey.stopped")}
          </ScriptMessage>
          {does === "create" && <ScriptMessage what="known">{t("passkey.known")}</ScriptMessage>}
          <ScriptMessage what="offline">{t("passkey.offline")}</ScriptMessage>
          <ScriptMessage what="refused" />
        </div>
        {props.children}
        <Button look={props.look ?? "plain"}>
          <Icon of={KeyRound} className="size-5" />
          {props.label}
        </Button>
      </PersonForm>
      <script type="module" src={passkey.script} />
    </>
  );
}

function ScriptMessage({ what, children }: { what: string; children?: ReactNode }) {
  return (
    <p data-passkey-says={what} hidden>
      {children}
    </p>
  );
}
