import { createContext, type ReactNode, useContext } from "react";
import type { Language } from "#format";

/** What a page that asks for money knows of the payer's phone. */
export interface PayerDevice {
  /**
   * Set in the browsers inside Facebook, Messenger and Instagram, which often cannot open a bank's app. Named by the phone's system, which
   * decides the way out.
   */
  inApp: "android" | "ios" | null;
  /** The scheme of the bank's app that was opened last in this browser; a text from a cookie, so compare it only. */
  lastBank: string | null;
}

/** What every page needs, whether its own data loaded or failed. */
export interface VisitShown {
  language: Language;
  theme: "light" | "dark";
  toast: {
    kind: "success" | "error" | "info";
    key: string;
    params?: Record<string, string | number> | undefined;
  } | null;
  /** Only the page's `[data-part]` and toasts are rendered, for a script that shows them where they stand. */
  partsOnly: boolean;
  /** The page's own path and query, for forms that return to it. */
  path: string;
  sandbox: boolean;
  /** Unread messages in the person's rooms, up to 100; those of the room that the page shows are left out. */
  unread: number;
  /** Outgoing money is halted; set on the back office's pages only. */
  halted: boolean;
  enhance: string;
  /** The script of the back office; only its pages load it. */
  backoffice: string;
  /** The script of the pages that ask for a passkey, and the only origin at which a browser offers one. */
  passkey: { script: string; origin: string };
  /** The script of the pages whose forms answer in place. */
  inPlace: string;
  stylesheet: string;
  /** The stylesheet's text if the page contains it, otherwise null. */
  styles: string | null;
  /** What is known of the payer's phone, for the ways to pay. */
  device: PayerDevice;
  /** The number by which support can find this request. */
  requestId: string;
  /** A public page's address in each language; null for a page that is not for search engines. */
  addresses: { canonical: string; alternates: Array<{ language: string; href: string }> } | null;
  person: {
    userId: number;
    displayName: string;
    email: string;
    avatarInitials: string;
    isAdmin: boolean;
  } | null;
}

const VisitContext = createContext<VisitShown | null>(null);

/** Provides the visit to the whole page. It does not come from a loader, because error pages have none. */
export function VisitProvider(props: { visit: VisitShown; children: ReactNode }) {
  return <VisitContext value={props.visit}>{props.children}</VisitContext>;
}

/** The id of the person who is signed in; undefined for a visitor, and where there is no visit: in an island or a standalone page. */
export function useSignedInId(): number | undefined {
  return useContext(VisitContext)?.person?.userId;
}

/** The visit of this page. */
export function useVisit(): VisitShown {
  const visit = useContext(VisitContext);
  if (visit === null) throw new Error("useVisit outside <VisitProvider>");
  return visit;
}
