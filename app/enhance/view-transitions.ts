/** A page that changes with a movement, as browsers that can announce it. */
type TransitionEvent = Event & { viewTransition?: Record<"ready" | "finished", Promise<unknown>> | null };

/**
 * A movement between two pages that the browser skips or breaks off, as when a person goes on at once, is no error: its promises are
 * handled here, so that nothing reports them.
 */
export function startViewTransitions(): void {
  for (const type of ["pageswap", "pagereveal"]) {
    addEventListener(type, (event) => {
      const { viewTransition } = event as TransitionEvent;
      viewTransition?.ready.catch(() => {});
      viewTransition?.finished.catch(() => {});
    });
  }
  // `pagereveal` may come before this script.
  addEventListener("unhandledrejection", (event: PromiseRejectionEvent) => {
    if (event.reason instanceof DOMException && /transition/i.test(event.reason.message))
      event.preventDefault();
  });
}
