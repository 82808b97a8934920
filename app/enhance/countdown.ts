/**
 * `<time data-countdown="end" data-now="server's now">` counts down by the server's clock: a phone's own may be wrong.
 * Elements that arrive later are found too, since the panel is replaced as the trade moves on. At the end the element
 * says so once, by an event `countdown-over` that bubbles.
 */
export function startCountdown(): void {
  const offsets = new WeakMap<Element, number>();
  setInterval(() => {
    for (const element of document.querySelectorAll<HTMLElement>("[data-countdown]")) {
      let offset = offsets.get(element);
      if (offset === undefined) {
        offset = Date.parse(element.dataset.now ?? "") - Date.now();
        offsets.set(element, offset);
      }
      const left = Math.max(
        0,
        Math.round((Date.parse(element.dataset.countdown ?? "") - Date.now() - offset) / 1000),
      );
      const over = left === 0 && element.dataset.over === undefined;
      if (over) {
        element.dataset.over = "";
        element.dispatchEvent(new Event("countdown-over", { bubbles: true }));
      }
      element.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    }
  }, 1_000);
}
