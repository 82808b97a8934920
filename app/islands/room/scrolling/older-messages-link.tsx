import { type MouseEvent, useEffect, useRef } from "react";

/**
 * Distance at which older messages are loaded before the head of the list becomes visible. It is greater than the distance at which
 * anything is laid out, so that loading and layout happen in different frames.
 */
const loadAheadMargin = "4500px 0px 0px 0px";

/** Delay after a failed attempt, in ms. */
const loadRetryMs = 3_000;

/** A link to older messages, which the script follows by itself when it comes near. */
export function OlderMessagesLink(props: {
  href: string;
  words: string;
  load: () => Promise<void>;
  /** The first `seq` in the list: when it changes, the link leads elsewhere. */
  first: number | undefined;
  /** Whether the reader scrolls up; until then nothing is fetched that is not visible. */
  isSought: boolean;
}) {
  const { href, words, load, first, isSought } = props;
  const link = useRef<HTMLAnchorElement>(null);
  const latest = useRef(load);
  latest.current = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an observer reports its state once; after each page it must be created again
  useEffect(() => {
    const watched = link.current;
    if (watched === null) return;
    let isNear = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const come = async () => {
      clearTimeout(timer);
      if (!isNear) return;
      await latest.current();
      // If the link is still the same after a while, the network has failed.
      timer = setTimeout(come, loadRetryMs);
    };
    const near = new IntersectionObserver(
      (entries) => {
        // On a busy page several entries arrive at once: the last one is current.
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
