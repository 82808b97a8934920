/**
 * Keeps the composer above the keyboard where a keyboard covers the page instead of making it smaller (iOS): the room takes the height that
 * is visible. Elsewhere the visible height is the window's, and nothing is set.
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
    style.setProperty("--visible-height", `${visible.height}px`);
    style.setProperty("--visible-top", `${visible.offsetTop}px`);
  };
  visible.addEventListener("resize", fit);
  visible.addEventListener("scroll", fit);
}
