import { MessagesSquare, QrCode, ShieldCheck } from "lucide";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { Steps } from "../../../ui/layout/steps.tsx";
import { TradeLine, tradeMarks } from "../../../ui/trade/progress/trade-line.tsx";
import { Section } from "./section.tsx";

type Figures = Record<string, string>;

/** The course of a trade, step by step, under the line that shows it in every room. */
export function Guide({ figures }: { figures: Figures }) {
  const t = useT();
  const text = useText();
  return (
    <Section id="guide" title={t("landing.guide")}>
      <Card>
        <TradeLine done={["agreed", "paid"]} />
        <p className="text-sm text-quiet">{t("landing.line")}</p>
        <Steps
          wide
          steps={tradeMarks.map((mark) => ({
            key: mark,
            body: (
              <>
                <strong>{t(`line.${mark}`)}</strong>
                <p className="text-quiet">{text(`landing.marks.${mark}`, figures)}</p>
              </>
            ),
          }))}
        />
      </Card>
    </Section>
  );
}

const guideFeatures = [
  { key: "secure", icon: ShieldCheck },
  { key: "payment", icon: QrCode },
  { key: "chat", icon: MessagesSquare },
] as const;

/** The three reasons to use Midman. */
export function Features() {
  const t = useT();
  return (
    <div className="grid gap-4 md:grid-cols-3">
      {guideFeatures.map(({ key, icon }) => (
        <Card key={key} tight>
          <Icon of={icon} className="size-8 text-khadag" />
          <h3 className="text-lg font-bold">{t(`landing.feature.${key}.title`)}</h3>
          <p className="text-quiet">{t(`landing.feature.${key}.body`)}</p>
        </Card>
      ))}
    </div>
  );
}
