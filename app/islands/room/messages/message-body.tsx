import { memo, useState, useSyncExternalStore } from "react";
import { type BodyPart, bodyPartsOf } from "./body-parts.ts";
import { limitEmptyLines } from "./disruptive-text.ts";

/** Texts and addresses that a message's text is rendered with. */
export interface BodyWords {
  copy: string;
  copied: string;
  /** Midman's own origin: its links are followed directly. */
  origin: string;
  /** The address of the page that shows where a link leads; every other link is appended to it, encoded. */
  away: string;
}

/**
 * A member's message with empty lines limited, its links made safe, and its copyable values as buttons. Nothing is fetched before the
 * reader presses.
 */
export const MessageBody = memo(function Body({ text, words }: { text: string; words: BodyWords }) {
  return bodyPartsOf(limitEmptyLines(text)).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their places
    <BodyPiece key={at} part={part} words={words} />
  ));
});

function BodyPiece({ part, words }: { part: BodyPart; words: BodyWords }) {
  if (part.kind === "copy") return <CopyableText {...part} words={words} />;
  return part.kind === "link" ? <BodyLink part={part} words={words} /> : part.text;
}

/**
 * A disguised host (look-alike letters, a user name before an `@`) is followed by the host as the browser parses it. The bidi override
 * prevents direction marks inside an address from reordering it.
 */
function BodyLink({ part, words }: { part: BodyPart & { kind: "link" }; words: BodyWords }) {
  const own = part.origin === words.origin;
  return (
    <>
      <a
        href={own ? part.address : words.away + encodeURIComponent(part.address)}
        target="_blank"
        rel="noopener noreferrer nofollow"
        dir="ltr"
        className="font-semibold underline underline-offset-2 [unicode-bidi:isolate-override]"
      >
        {part.text}
      </a>
      {part.disguised && (
        <bdi className="ml-1 inline-block rounded bg-warn-soft px-1 font-mono text-sm text-warn">
          {part.host}
        </bdi>
      )}
    </>
  );
}

/** How long the "Copied" text is shown. */
const copiedNoticeMs = 2_000;

function CopyableText({ text, value, words }: { text: string; value: string; words: BodyWords }) {
  const live = useSyncExternalStore(subscribeToNothing, hasScript, hasScriptOnServer);
  const [copied, setCopied] = useState(false);
  if (!live) return <span className="inline-block max-w-full">{text}</span>;
  const copy = async (button: HTMLElement) => {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Copying is not allowed here: select the text so that the person can copy it.
      return getSelection()?.selectAllChildren(button);
    }
    setCopied(true);
    setTimeout(setCopied, copiedNoticeMs, false);
  };
  return (
    <span className="relative inline-block max-w-full">
      <button
        type="button"
        title={words.copy}
        onClick={({ currentTarget }) => void copy(currentTarget)}
        className="max-w-full cursor-copy text-left underline decoration-dotted underline-offset-4 wrap-anywhere select-text"
      >
        {text}
      </button>
      <span role="status" className="absolute top-0 left-0 z-10 rounded-control bg-ink text-xs text-page">
        {copied && <span className="block px-2 py-1 whitespace-nowrap">{words.copied}</span>}
      </span>
    </span>
  );
}

/** Only a script can copy, so the server and the first render of the browser show no button. */
const subscribeToNothing = () => () => {};
const hasScript = () => true;
const hasScriptOnServer = () => false;
