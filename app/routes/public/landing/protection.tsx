import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { Section } from "./section.tsx";

type Figures = Record<string, string>;

const fearsBySide = {
  buyer: ["gone", "bad", "back"],
  seller: ["forged", "silent", "denied"],
} as const;

/** What each party fears, and how Midman protects them. */
export function Protection({ figures }: { figures: Figures }) {
  const t = useT();
  const text = useText();
  return (
    <Section id="protection" title={t("landing.protect.title")}>
      <div className="grid gap-4 md:grid-cols-2">
        <Card title={t("landing.protect.buyer.title")}>
          <dl className="grid gap-4">
            {fearsBySide.buyer.map((fear) => (
              <Fear
                key={fear}
                risk={t(`landing.protect.buyer.${fear}.risk`)}
                answer={text(`landing.protect.buyer.${fear}.answer`, figures)}
              />
            ))}
          </dl>
        </Card>
        <Card title={t("landing.protect.seller.title")}>
          <dl className="grid gap-4">
            {fearsBySide.seller.map((fear) => (
              <Fear
                key={fear}
                risk={t(`landing.protect.seller.${fear}.risk`)}
                answer={text(`landing.protect.seller.${fear}.answer`, figures)}
              />
            ))}
          </dl>
        </Card>
      </div>
    </Section>
  );
}

function Fear({ risk, answer }: { risk: string; answer: string }) {
  return (
    <div className="grid gap-1">
      <dt className="font-semibold">{risk}</dt>
      <dd className="border-l-4 border-khadag pl-3 text-quiet">{answer}</dd>
    </div>
  );
}

const problemKeys = ["late", "amount", "goods", "silent", "dispute"] as const;

/** What happens when a trade goes wrong, with the time each step takes. */
export function Problems({ figures }: { figures: Figures }) {
  const t = useT();
  const text = useText();
  return (
    <Section id="problems" title={t("landing.problems.title")}>
      <div className="grid items-start gap-3 md:grid-cols-2">
        {problemKeys.map((problem) => (
          <Disclosure key={problem} summary={t(`landing.problems.${problem}.title`)}>
            <p>{text(`landing.problems.${problem}.body`, figures)}</p>
          </Disclosure>
        ))}
      </div>
    </Section>
  );
}
