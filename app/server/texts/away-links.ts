import { domainToUnicode } from "node:url";
import { publicUrl } from "#config";
import { getTranslator, type Language } from "#locales";
import type { BodyWords } from "../../islands/room/messages/message-body.tsx";
import { paths } from "../../paths.ts";
import { hasLookalikeLetters, looksLikeBank, looksLikeMidman } from "./lookalike-links.ts";

/** Texts and addresses for a room's messages; outside links lead to the page that warns of them. */
export function bodyWords(language: Language, roomId: number): BodyWords {
  const t = getTranslator(language);
  const { origin } = new URL(publicUrl());
  return {
    copy: t("chat.copy"),
    copied: t("toast.copied"),
    origin,
    away: `${paths.away}?room=${roomId}&to=`,
  };
}

/** What may be wrong with an address; each has a text under `away.doubts`. */
type Doubt = "midman" | "bank" | "letters" | "name" | "number" | "open" | "port";

/** The destination of a member's link. */
export interface Destination {
  /** The full address as a browser would open it. */
  address: string;
  /** The host in ASCII, with its port if it is not the default. */
  host: string;
  /** The host in Unicode; null if it is the same. */
  readAs: string | null;
  doubts: Doubt[];
}

/** Longer than any address that a message can link to. */
const longestAddress = 8_000;
/** DNS allows no longer host; judging one would cost a tenth of a second per thousand letters. */
const longestHost = 253;

/** Judges a link by its address only; nothing is fetched. Undefined for an address that no message can link to. */
export function destinationOf(to: string | null): Destination | undefined {
  if (to === null || to.length > longestAddress || !/^https?:\/\//i.test(to) || !URL.canParse(to))
    return undefined;
  const url = new URL(to);
  if (url.hostname.length > longestHost) return undefined;
  const readAs = domainToUnicode(url.hostname) || url.hostname;
  return {
    address: url.href,
    host: url.host,
    readAs: readAs === url.hostname ? null : readAs,
    doubts: doubtsOf(url, readAs),
  };
}

function doubtsOf(url: URL, readAs: string): Doubt[] {
  const own = new URL(publicUrl());
  const found: Record<Doubt, boolean> = {
    midman: url.origin !== own.origin && looksLikeMidman(readAs, own.hostname),
    bank: looksLikeBank(readAs),
    letters: hasLookalikeLetters(readAs),
    name: url.username !== "" || url.password !== "",
    number: /^\[|^\d+(\.\d+){3}$/.test(url.hostname),
    open: url.protocol === "http:",
    port: url.port !== "",
  };
  return (Object.keys(found) as Doubt[]).filter((doubt) => found[doubt]);
}
