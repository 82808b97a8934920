import { useT } from "../../../ui/frame/i18n.tsx";
import { knotPath } from "../../../ui/layout/midman-mark.tsx";

/** An open palm, fingers to the right, on a 24 × 24 square. */
const palmPath =
  "M11 12h2a2 2 0 1 0 0-4h-3c-.6 0-1.1.2-1.4.6L3 14m4 4 1.6-1.4c.3-.4.8-.6 1.4-.6h4c1.1 0 2.1-.4 2.8-1.2l4.6-4.4a2 2 0 0 0-2.75-2.91l-4.2 3.9M2 13l6 6";

const tailsPath = "M62 46 40 160l9-5 9 7 9-6 9 5L98 52zM418 46l22 114-9-5-9 7-9-6-9 5L382 52z";

/**
 * Midman in one picture: a khadag lies across two open hands, and the knot in its middle stands for the held money. Below it, what each of
 * the three does.
 */
export function Khadag() {
  const t = useT();
  return (
    <figure className="grid gap-2" aria-label={t("landing.hands.label")}>
      <svg viewBox="0 0 480 176" aria-hidden="true" fill="none" className="w-full text-khadag">
        <path fill="currentColor" d={tailsPath} />
        <path className="fill-black/25" d={tailsPath} />
        <path fill="currentColor" d="M62 46q8-14 24-8 154 84 308 0 16-6 24 8l-6 30q-172 96-344 0z" />
        <path className="stroke-white/30" strokeWidth="3" d="M74 54q166 92 332 0M70 66q170 94 340 0" />
        <g className="stroke-ink" strokeWidth="1.1" strokeLinecap="round" strokeLinejoin="round">
          <path className="fill-card" transform="translate(2 30)scale(4.4)" d={palmPath} />
          <path className="fill-card" transform="matrix(-4.4 0 0 4.4 478 30)" d={palmPath} />
        </g>
        <circle className="fill-card" stroke="currentColor" strokeWidth="4" cx="240" cy="92" r="52" />
        <path
          stroke="currentColor"
          strokeWidth="2"
          transform="translate(198 50)scale(3.5)rotate(45 12 12)"
          d={knotPath}
        />
      </svg>
      <figcaption>
        <ul className="grid grid-cols-3 gap-3 text-center text-sm lg:text-base">
          <Part who={t("roles.buyer")} does={t("landing.hands.buyer")} />
          <Part who={t("brand")} does={t("landing.hands.midman")} middle />
          <Part who={t("roles.seller")} does={t("landing.hands.seller")} />
        </ul>
      </figcaption>
    </figure>
  );
}

function Part({ who, does, middle }: { who: string; does: string; middle?: boolean }) {
  return (
    <li className="grid min-w-0 content-start gap-0.5">
      <strong className={middle ? "text-brand" : ""}>{who}</strong>
      <span className="text-quiet">{does}</span>
    </li>
  );
}
