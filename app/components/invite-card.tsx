import { ButtonLink } from "./button.tsx";
import { Card } from "./card.tsx";
import { Copyable } from "./copyable.tsx";
import { useT } from "./i18n.tsx";

/** The code and link that let the other side in. Both can be selected by hand; copying by one press needs script. */
export function InviteCard(props: { room: string; code: string; link: string; close: string }) {
  const t = useT();
  return (
    <Card title={t("chat.inviteTo", { room: props.room })}>
      <Copyable label={t("chat.code")} value={props.code} />
      <Copyable label={t("chat.link")} value={props.link} />
      <ButtonLink to={props.close} className="justify-self-start">
        {t("chat.close")}
      </ButtonLink>
    </Card>
  );
}
