import { type MouseEvent, useEffect, useRef } from "react";

/**
 * Who scrolls up finds older messages there this long before the head of the list comes into sight: farther away than
 * anything is laid out, so that what comes in and what comes near are the work of different frames.
 */
const loadAheadMargin = "4500px 0px 0px 0px";

/** After a try that failed, in milliseconds. */
const loadRetryMs = 3_000;

/** The way to older messages: a link, which with script follows itself when it comes near. */
export function OlderMessagesLink(props: {
  href: string;
  words: string;
  load: () => Promise<void>;
  /** The first `seq` there is: once it has changed, the link is another. */
  first: number | undefined;
  /** Somebody scrolls up; until then nothing is fetched that is not in sight. */
  isSought: boolean;
}) {
  const { href, words, load, first, isSought } = props;
  const link = useRef<HTMLAnchorElement>(null);
  const latest = useRef(load);
  latest.current = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an observer tells once where it stands; after each page it is asked anew
  useEffect(() => {
    const watched = link.current;
    if (watched === null) return;
    let isNear = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const come = async () => {
      clearTimeout(timer);
      if (!isNear) return;
      await latest.current();
      // Still the same link after a while: the network failed.
      timer = setTimeout(come, loadRetryMs);
    };
    const near = new IntersectionObserver(
      (entries) => {
        // A busy page is told of several at once: the last is true.
        isNear = entries.at(-1)?.isIntersecting ?? false;
        void come();
      },
      { root: watched.closest("[role=log]"), rootMargin: isSought ? loadAheadMargin : "0px" },
    );
    near.observe(watched);
    return () => {
      isNear = false;
      clearTimeout(timer);
      near.disconnect();
    };
  }, [first, isSought]);
  const follow = (event: MouseEvent) => {
    event.preventDefault();
    void load();
  };
  return (
    <a
      ref={link}
      href={href}
      onClick={follow}
      className="mx-auto flex min-h-11 w-fit items-center font-semibold text-brand underline underline-offset-4"
    >
      {words}
    </a>
  );
}
