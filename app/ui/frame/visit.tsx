import { createContext, type ReactNode, useContext } from "react";

/** What every page is drawn with, whether its own data came or failed. */
export interface VisitShown {
  language: "en" | "mn";
  theme: "light" | "dark";
  toast: {
    kind: "success" | "error" | "info";
    key: string;
    params?: Record<string, string | number> | undefined;
  } | null;
  /** The page's own path and query, for forms that come back to it. */
  path: string;
  sandbox: boolean;
  /** Outgoing money is stopped; told to the back office's pages alone. */
  halted: boolean;
  enhance: string;
  /** The script of the back office, which its pages alone load. */
  desk: string;
  /** The script of the pages that ask for a passkey, and the one origin at which a browser gives one. */
  passkey: { script: string; origin: string };
  stylesheet: string;
  /** The stylesheet's text where the page brings it along; else null. */
  styles: string | null;
  /** What support can find this request by. */
  requestId: string;
  /** Where a public page stands in each language; null for a page that is not for search engines. */
  addresses: { canonical: string; alternates: Array<{ language: string; href: string }> } | null;
  person: { displayName: string; email: string; avatarInitials: string; isAdmin: boolean } | null;
}

const VisitContext = createContext<VisitShown | null>(null);

/** Gives the visit to the whole page. It does not come from a loader: error pages have none. */
export function VisitProvider(props: { visit: VisitShown; children: ReactNode }) {
  return <VisitContext value={props.visit}>{props.children}</VisitContext>;
}

/** The visit of this page. */
export function useVisit(): VisitShown {
  const visit = useContext(VisitContext);
  if (visit === null) throw new Error("useVisit outside <Visiting>");
  return visit;
}
