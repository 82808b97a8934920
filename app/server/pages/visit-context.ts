import { createContext, type RouterContextProvider } from "react-router";
import { type Actor, type Member, relyingParty } from "#modules/identity";
import { isSandboxServing } from "#modules/payments";
import type { VisitShown } from "../../ui/frame/visit.tsx";
import type { Assets } from "./built-assets.ts";
import type { PageStylesheet } from "./page-stylesheet.ts";
import { readPayerDevice } from "./payer-device.ts";
import type { PageAddresses } from "./seo.ts";
import type { Toast } from "./toast-cookie.ts";

/** What the server passes to every loader and action of one request. */
export interface Visit {
  actor: Actor;
  /** From the cookie `midman-theme`; light is the default. */
  theme: "light" | "dark";
  /** The toast that the previous page left, shown once. */
  toast: Toast | null;
  /** Public addresses of the built scripts and stylesheets. */
  scripts: Assets;
  look: PageStylesheet;
  /** The answer goes to a script, which takes only the page's `[data-part]` and toasts: nothing else need be read or rendered. */
  partsOnly: boolean;
  /** The error that a loader, an action or the rendering threw, for the page handler to examine afterwards. */
  failure: unknown;
}

export const visitContext = createContext<Visit>();

/** What every page shows of its visit, apart from what only the back office asks for. */
export function describeVisit(
  request: Request,
  context: Readonly<RouterContextProvider>,
  addresses: PageAddresses | null,
): Omit<VisitShown, "halted" | "unread"> {
  const { actor, theme, toast, scripts, look, partsOnly } = context.get(visitContext);
  const { pathname, search } = new URL(request.url);
  return {
    language: actor.language,
    theme,
    toast,
    partsOnly,
    path: `${pathname}${search}`,
    sandbox: isSandboxServing(),
    enhance: scripts.enhance,
    backoffice: scripts.backoffice,
    inPlace: scripts.inPlace,
    passkey: { script: scripts.passkey, origin: relyingParty().origin },
    stylesheet: look.stylesheet,
    styles: look.styles,
    device: readPayerDevice(request),
    requestId: actor.requestId,
    addresses,
    person: actor.kind === "user" ? shownPerson(actor) : null,
  };
}

function shownPerson({ userId, displayName, email, avatarInitials, isAdmin }: Member): VisitShown["person"] {
  return { userId, displayName, email, avatarInitials, isAdmin };
}
