import type { EvidencePicture } from "#views/escrow";
import { paths } from "../../../paths.ts";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Moment } from "../moment.tsx";

interface Props {
  id: number;
  pictures: EvidencePicture[];
  ownTrade: boolean;
}

/** The evidence beside the statements: the conversation, its pictures, and all of it as a signed archive. */
export function Evidence({ id, pictures, ownTrade }: Props) {
  const t = useT();
  return (
    <Card title={t("admin.dispute.evidence")}>
      <p className="text-sm text-quiet">{t("admin.transcript.lead")}</p>
      <TextLink to={paths.adminTranscript(id)}>{t("admin.transcript.read")}</TextLink>
      <h3 className="font-semibold">{t("admin.dispute.pictures")}</h3>
      {pictures.length === 0 && <p className="text-quiet">{t("admin.dispute.noPictures")}</p>}
      <ol className="grid">
        {pictures.map(({ id: image, by, at }, index) => (
          <li key={image} className="flex flex-wrap items-center gap-x-3">
            {ownTrade ? (
              t("admin.dispute.picture", { number: index + 1 })
            ) : (
              <TextLink to={paths.adminDisputePicture(id, image)}>
                {t("admin.dispute.picture", { number: index + 1 })}
              </TextLink>
            )}
            <span className="text-sm text-quiet">
              {by && `${t(`roles.${by}`)} · `}
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ol>
      {!ownTrade && (
        <PersonForm action={paths.adminDisputeEvidence(id)} className="grid gap-2">
          <p className="text-sm text-quiet">{t("admin.dispute.bundleWhat")}</p>
          <Button look="plain" className="justify-self-start">
            {t("admin.dispute.bundle")}
          </Button>
        </PersonForm>
      )}
      <TextLink to="/api/evidence-key">{t("admin.dispute.key")}</TextLink>
    </Card>
  );
}
