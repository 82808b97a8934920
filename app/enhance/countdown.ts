/**
 * `<time data-countdown="end" data-now="server's now" data-near="seconds">` counts down by the server's clock, because a phone's clock may
 * be wrong. Elements added later are found too, since the panel is replaced as the trade moves on. `data-soon` marks the last `data-near`
 * seconds. At the end the element dispatches one bubbling `countdown-over` event.
 */
export function startCountdown(): void {
  const offsets = new WeakMap<Element, number>();
  const tick = () => {
    for (const element of document.querySelectorAll<HTMLElement>("[data-countdown]")) {
      let offset = offsets.get(element);
      if (offset === undefined) {
        offset = Date.parse(element.dataset.now ?? "") - Date.now();
        offsets.set(element, offset);
        // The digits are narrower than the server's text; a minimum width keeps the neighbouring elements in place.
        element.style.minWidth = `${element.offsetWidth}px`;
      }
      const end = Date.parse(element.dataset.countdown ?? "");
      const left = Math.max(0, Math.round((end - Date.now() - offset) / 1000));
      if (left < Number(element.dataset.near)) element.dataset.soon = "";
      if (left === 0 && element.dataset.over === undefined) {
        element.dataset.over = "";
        element.dispatchEvent(new Event("countdown-over", { bubbles: true }));
      }
      element.textContent = formatTimeLeft(left);
    }
  };
  tick();
  setInterval(tick, 1_000);
}

/** `1:05:09`, or `5:09` within the last hour. */
function formatTimeLeft(seconds: number): string {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3_600);
  return hours > 0 ? [hours, ...parts].join(":") : parts.join(":").replace(/^0/, "");
}
