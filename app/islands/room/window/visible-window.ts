/**
 * Below this height (px) of the window there is no place for the trade's strip above the conversation: 260 for usual text. Larger text also
 * takes more lines, so the height grows faster than the text.
 */
const lowHeightFor = (fontSize: number) => 20 * fontSize - 60;

/**
 * Keeps the composer above the keyboard where a keyboard covers the page instead of making it smaller (iOS): the room takes the height that
 * is visible. Elsewhere the visible height is the window's, and only what is low is marked: a phone held sideways, of which a keyboard leaves
 * room for the composer and little else.
 */
export function fitWindow(): void {
  const visible = window.visualViewport;
  if (visible == null) return;
  const { style, dataset } = document.body;
  const fit = () => {
    // A page that its reader zoomed is panned, not fitted to the window again.
    const covered = Math.round(innerHeight - visible.height) > 1 && visible.scale === 1;
    if (covered) dataset.fitted = "";
    else delete dataset.fitted;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    if (visible.height < lowHeightFor(rem) && visible.scale === 1) dataset.low = "";
    else delete dataset.low;
    style.setProperty("--visible-height", `${visible.height}px`);
    style.setProperty("--visible-top", `${visible.offsetTop}px`);
  };
  visible.addEventListener("resize", fit);
  visible.addEventListener("scroll", fit);
}
