/**
 * Height of the window (px) below which the trade's strip has no room above the conversation; 260 for text of the usual size. Larger text also
 * takes more lines, so the height grows faster than the text.
 */
const lowHeightFor = (fontSize: number) => 20 * fontSize - 60;

/**
 * Keeps the composer above an on-screen keyboard. On iOS the keyboard covers the page (`data-fitted`): the room is then as high as the part
 * that stays visible. Elsewhere the keyboard makes the window smaller by itself. A window that is too low for the trade's strip, such as that of
 * a phone held sideways with its keyboard open, is marked by `data-low`.
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
