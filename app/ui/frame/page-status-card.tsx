import { CloudOff, Hourglass, type IconNode, Lock, RefreshCw, TriangleAlert, Users, Wrench } from "lucide";
import { paths } from "../../paths.ts";
import { type ButtonLook, buttonClasses } from "../forms/button.tsx";
import { PersonForm } from "../forms/person-form.tsx";
import { Icon } from "../layout/icon.tsx";
import { useT } from "./i18n.tsx";

/** What can be shown in place of a page: a response's status, or a cause such as being offline. */
export type PageStatus = 400 | 401 | 403 | 404 | 413 | 429 | 500 | 503 | PageCause | MissingPart;
type PageCause = "maintenance" | "overloaded" | "badOrigin" | "otherPerson" | "offline";

/** What a 404 is about: an address that is no page, or what the address, or the posted form, names. */
const missingParts = ["room", "vault", "transaction", "picture", "record", "form"] as const;
type MissingPart = (typeof missingParts)[number];
export type Missing = "page" | MissingPart;

/** A posted form that was not processed: its fields, to be sent again; null if they must not be sent back in a page. */
export type UnsentForm = Array<[name: string, value: string]> | null;

interface PageStatusText {
  heading: string;
  hint: string;
  help?: string;
  icon?: IconNode;
  /** Where else this may be found, in place of the home page. */
  onward?: { to: string; label: string };
}

/** The texts for each status, as keys of the catalogues. A page says no more about its cause than the person can act on. */
const pageStatusTexts = {
  400: { heading: "pages.badRequest", hint: "pages.badRequestHint" },
  401: { heading: "pages.authRequired", hint: "pages.authRequiredHint", icon: Lock },
  403: { heading: "pages.forbidden", hint: "pages.forbiddenHint", icon: Lock },
  404: { heading: "pages.notFound", hint: "pages.notFoundHint", help: "pages.notFoundHelp" },
  413: { heading: "pages.tooLarge", hint: "pages.tooLargeHint" },
  429: { heading: "pages.throttled", hint: "pages.throttledHint" },
  500: { heading: "pages.failed", hint: "pages.failedHint" },
  503: { heading: "pages.unavailable", hint: "pages.unavailableHint" },
  maintenance: { heading: "pages.maintenance", hint: "pages.maintenanceHint", icon: Wrench },
  overloaded: { heading: "pages.overloaded", hint: "pages.overloadedHint", icon: Hourglass },
  badOrigin: { heading: "pages.forbidden", hint: "pages.badOriginHint", icon: Lock },
  otherPerson: {
    heading: "pages.otherPerson",
    hint: "pages.otherPersonHint",
    help: "pages.otherPersonHelp",
    icon: Users,
  },
  room: {
    heading: "errors.CHAT_ROOM_NOT_FOUND",
    hint: "pages.missing.room",
    onward: { to: paths.chat, label: "pages.toRooms" },
  },
  vault: {
    heading: "errors.TRANSACTION_NOT_FOUND",
    hint: "pages.missing.vault",
    onward: { to: paths.chat, label: "pages.toRooms" },
  },
  transaction: {
    heading: "errors.TRANSACTION_NOT_FOUND",
    hint: "pages.missing.transaction",
    onward: { to: paths.history, label: "pages.toTransactions" },
  },
  picture: { heading: "pages.missing.pictureTitle", hint: "pages.missing.picture" },
  record: { heading: "pages.missing.recordTitle", hint: "pages.missing.record" },
  form: { heading: "pages.missing.formTitle", hint: "pages.missing.form", icon: RefreshCw },
  offline: { heading: "pages.offline", hint: "pages.offlineHint", icon: CloudOff },
} as const satisfies Record<PageStatus, PageStatusText>;

/** The texts to show for a status; a status without its own texts uses 400 or 500. `missing` says what a 404 is about. */
export function pageStatusOf(status: number, missing = ""): PageStatus {
  if (status === 404) return missingParts.find((part) => part === missing) ?? 404;
  if (Object.hasOwn(pageStatusTexts, status)) return status as PageStatus;
  return status >= 500 ? 500 : 400;
}

/** The heading as a catalogue key, for the page's title. */
export function pageHeadingOf(pageStatus: PageStatus) {
  return pageStatusTexts[pageStatus].heading;
}

/**
 * A centred card that says what happened and what to do next. It uses plain links, because it is also rendered without a router.
 * `requestId` is the number by which support finds the request; `signIn` is where a 401 leads; `signedInAs` is the name of the person who is
 * signed in, where the page was another's.
 */
export function PageStatusCard(props: {
  pageStatus: PageStatus;
  requestId?: string;
  signIn?: string;
  unsent?: UnsentForm;
  signedInAs?: string;
}) {
  const t = useT();
  const { heading, hint, help, icon = TriangleAlert }: PageStatusText = pageStatusTexts[props.pageStatus];
  const text = t as unknown as (key: string) => string;
  return (
    <section className="grid justify-items-center gap-4 rounded-card border border-line bg-card p-6 text-center sm:p-8">
      <span className="grid size-16 place-items-center rounded-full bg-warn-soft text-warn">
        <Icon of={icon} className="size-8" />
      </span>
      <h1 className="text-2xl font-extrabold tracking-tight text-balance">{text(heading)}</h1>
      <p className="text-balance text-quiet">{text(hint)}</p>
      {help && <p className="text-balance text-quiet">{text(help)}</p>}
      {props.unsent !== undefined && (
        <p className="text-balance text-quiet">
          {t(props.unsent === null ? "pages.overloadedReload" : "pages.overloadedKept")}
        </p>
      )}
      {props.requestId && (
        <p className="text-sm text-quiet">
          {t("pages.quote")}{" "}
          <code className="font-mono text-ink select-all wrap-anywhere">{props.requestId}</code>
        </p>
      )}
      <PageStatusLinks {...props} />
    </section>
  );
}

/** An empty href is the page's own address: it tries the same page again. */
const samePage = "";

const retryableStatuses = new Set<PageStatus>(["offline", "maintenance", "overloaded", 503]);

function PageStatusLinks({
  pageStatus,
  signIn,
  unsent,
  signedInAs,
}: {
  pageStatus: PageStatus;
  signIn?: string;
  unsent?: UnsentForm;
  signedInAs?: string;
}) {
  const t = useT();
  const text = t as unknown as (key: string) => string;
  const { onward = { to: paths.landing, label: "pages.home" } }: PageStatusText = pageStatusTexts[pageStatus];
  if (signedInAs !== undefined) {
    return (
      <div className="flex flex-wrap justify-center gap-2">
        <a href={paths.chat} className={`${buttonClasses("primary")} wrap-anywhere`}>
          {t("pages.goOnAs", { name: signedInAs })}
        </a>
        {unsent && <SendAgain fields={unsent} look="plain" />}
      </div>
    );
  }
  // A link would request the page without the form; the browser's own reload sends the form again.
  if (unsent === null) return null;
  if (unsent !== undefined) return <SendAgain fields={unsent} look="primary" />;
  if (retryableStatuses.has(pageStatus)) {
    return (
      <a href={samePage} className={buttonClasses("primary")}>
        <Icon of={RefreshCw} />
        {t("pages.again")}
      </a>
    );
  }
  return (
    <div className="flex flex-wrap justify-center gap-2">
      {pageStatus === 401 ? (
        <a href={signIn ?? `${paths.landing}#auth`} className={buttonClasses("primary")}>
          {t("header.signIn")}
        </a>
      ) : (
        <a href={onward.to} className={buttonClasses("primary")}>
          {text(onward.label)}
        </a>
      )}
      <a href={paths.support} className={buttonClasses("plain")}>
        {t("pages.support")}
      </a>
    </div>
  );
}

/** The fields name the person to whom the form's page was shown, if it was somebody's: it is sent again in nobody else's name. */
function SendAgain({ fields, look }: { fields: Array<[name: string, value: string]>; look: ButtonLook }) {
  const t = useT();
  return (
    <PersonForm action={samePage}>
      {fields.map(([name, value], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may occur twice, and the list never changes
        <input key={i} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className={buttonClasses(look)}>
        <Icon of={RefreshCw} />
        {t("pages.sendAgain")}
      </button>
    </PersonForm>
  );
}
