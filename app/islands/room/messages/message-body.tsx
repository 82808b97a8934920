import { memo, useState, useSyncExternalStore } from "react";
import { type BodyPart, bodyPartsOf } from "./body-parts.ts";
import { limitEmptyLines } from "./disruptive-text.ts";

/** What the text of a message is drawn with. */
export interface BodyWords {
  copy: string;
  copied: string;
  /** Midman's own origin: its links lead straight there. */
  origin: string;
  /** Every other link follows this, encoded: the page that says where it leads. */
  away: string;
}

/**
 * What a member wrote, but for rows of empty lines, with its links made safe and what can be copied made buttons. Nothing is
 * fetched before somebody presses.
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
 * A host that is not what it seems (look-alike letters, a name before an `@`) is followed by what a browser reads. The
 * override keeps marks of writing direction inside an address from turning it round.
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

/** Longer than this nobody looks at the word. */
const copiedNoticeMs = 2_000;

function CopyableText({ text, value, words }: { text: string; value: string; words: BodyWords }) {
  const live = useSyncExternalStore(subscribeToNothing, hasScript, hasScriptOnServer);
  const [copied, setCopied] = useState(false);
  if (!live) return <span className="inline-block max-w-full">{text}</span>;
  const copy = async (button: HTMLElement) => {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Not allowed here: what is marked can be copied by hand.
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

/** Only a script can copy: the server and the first drawing of a browser know none. */
const subscribeToNothing = () => () => {};
const hasScript = () => true;
const hasScriptOnServer = () => false;
