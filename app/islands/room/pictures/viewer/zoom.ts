/** How a picture lies in the window: its size relative to the fitted one, and its offset from the middle in CSS pixels. */
export interface PicturePlace {
  scale: number;
  x: number;
  y: number;
}

/** A point, from the middle of the window, in CSS pixels. */
export interface ViewPoint {
  x: number;
  y: number;
}

export const fittedPlace: PicturePlace = { scale: 1, x: 0, y: 0 };
export const maxZoom = 6;
/** The zoom of a double tap. */
export const doubleTapZoom = 2.5;

const limitTo = (value: number, most: number) => Math.min(Math.max(value, -most), most);

/** Limits the zoom to 1 to 6, and the offset so that no more of the window is empty than with the fitted picture. */
export function limitPlace({ scale, x, y }: PicturePlace, fitted: ViewPoint, view: ViewPoint): PicturePlace {
  const zoom = Math.min(Math.max(scale, 1), maxZoom);
  const spare = (size: number, room: number) => Math.max(0, (size * zoom - room) / 2);
  // Adding zero turns -0 into 0.
  return {
    scale: zoom,
    x: limitTo(x, spare(fitted.x, view.x)) + 0,
    y: limitTo(y, spare(fitted.y, view.y)) + 0,
  };
}

/** Zooms by `factor` so that what is under `at` stays there. */
export function zoomAround(place: PicturePlace, factor: number, at: ViewPoint): PicturePlace {
  const scale = Math.min(Math.max(place.scale * factor, 1), maxZoom);
  const by = scale / place.scale;
  return { scale, x: at.x - (at.x - place.x) * by, y: at.y - (at.y - place.y) * by };
}

/** The result of a swipe that ended: the next picture, the previous one, closing, or nothing. `ms` is how long it took. */
export function swipeResult(
  moved: ViewPoint,
  ms: number,
  view: ViewPoint,
): "next" | "previous" | "close" | undefined {
  const [across, down] = [Math.abs(moved.x), moved.y];
  const isQuick = ms < 300;
  if (across > Math.abs(down)) {
    if (across < (isQuick ? 40 : view.x / 4)) return undefined;
    return moved.x < 0 ? "next" : "previous";
  }
  return down > (isQuick ? 60 : view.y / 5) ? "close" : undefined;
}
