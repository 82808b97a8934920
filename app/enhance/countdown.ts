import { formatCountdown } from "#format";

/**
 * `<time data-countdown="end" data-now="server's now" data-near="seconds">` counts down by the server's clock, because a phone's clock may
 * be wrong; `data-short` if it is never longer than an hour. Elements added later are found too, since the panel is replaced as the trade
 * moves on. `data-soon` marks the last `data-near` seconds. At the end the element dispatches one bubbling `countdown-over` event.
 */
export function startCountdown(): void {
  const offsets = new WeakMap<Element, number>();
  const tick = () => {
    for (const element of document.querySelectorAll<HTMLElement>("[data-countdown]")) {
      let offset = offsets.get(element);
      if (offset === undefined) {
        offset = Date.parse(element.dataset.now ?? "") - Date.now();
        offsets.set(element, offset);
      }
      const end = Date.parse(element.dataset.countdown ?? "");
      const left = Math.max(0, Math.round((end - Date.now() - offset) / 1000));
      if (left < Number(element.dataset.near)) element.dataset.soon = "";
      if (left === 0 && element.dataset.over === undefined) {
        element.dataset.over = "";
        element.dispatchEvent(new Event("countdown-over", { bubbles: true }));
      }
      element.textContent = formatCountdown(left, element.dataset.short !== undefined);
    }
  };
  tick();
  setInterval(tick, 1_000);
}
