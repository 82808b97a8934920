import { useT } from "./i18n.tsx";

/** The keyboard's first stop on every page: skips the header. */
export function SkipLink() {
  const t = useT();
  return (
    <a
      href="#main"
      className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-card focus:p-3 focus:font-semibold"
    >
      {t("header.skip")}
    </a>
  );
}
