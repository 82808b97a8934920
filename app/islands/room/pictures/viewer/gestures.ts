import { type PicturePlace, type ViewPoint, zoomAround } from "./zoom.ts";

/** What the gestures of a finger or mouse on the picture do. Places are asked for and set; a swipe is reported while it moves and at its end. */
export interface GestureHandlers {
  place: () => PicturePlace;
  move: (place: PicturePlace) => void;
  /** Moves the fitted picture with the finger. */
  drag: (moved: ViewPoint) => void;
  /** The finger has left the fitted picture after `ms`. */
  drop: (moved: ViewPoint, ms: number) => void;
  /** Two taps at one point. */
  doubleTap: (at: ViewPoint) => void;
}

const doubleTapMs = 300;
const tapSlop = 10;

/** Two taps within 300 ms near each other call `hear`. */
function doubleTapDetector(hear: (at: ViewPoint) => void) {
  let last: (ViewPoint & { time: number }) | undefined;
  return (at: ViewPoint, time: number) => {
    const again =
      last !== undefined &&
      time - last.time < doubleTapMs &&
      Math.hypot(at.x - last.x, at.y - last.y) < 3 * tapSlop;
    last = again ? undefined : { ...at, time };
    if (again) hear(at);
  };
}

/** Follows fingers, mouse and wheel on `stage` until `ended`. One finger moves or swipes, two zoom. */
export function followGestures(stage: HTMLElement, handlers: GestureHandlers, ended: AbortSignal): void {
  const fingers = new Map<number, ViewPoint>();
  const tap = doubleTapDetector(handlers.doubleTap);
  let began = { x: 0, y: 0, time: 0 };
  let pinched = false;
  const middleOf = (points: ViewPoint[]): ViewPoint => ({
    x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
    y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
  });
  const pointOf = ({ clientX, clientY }: MouseEvent): ViewPoint => {
    const { left, top, width, height } = stage.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };
  const spread = ([one, other]: ViewPoint[]) =>
    one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 1;
  const on = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    hear: (event: HTMLElementEventMap[Type]) => void,
  ) => stage.addEventListener(type, hear, { signal: ended, passive: false });

  on("pointerdown", (event) => {
    if (event.button !== 0) return;
    stage.setPointerCapture(event.pointerId);
    if (fingers.size === 0) {
      began = { ...pointOf(event), time: event.timeStamp };
      pinched = false;
    }
    fingers.set(event.pointerId, pointOf(event));
  });
  on("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = [...fingers.values()];
    fingers.set(event.pointerId, pointOf(event));
    const after = [...fingers.values()];
    const [from, to] = [middleOf(before), middleOf(after)];
    const { scale, x, y } = handlers.place();
    const moved = { scale, x: x + to.x - from.x, y: y + to.y - from.y };
    if (fingers.size > 1) {
      pinched = true;
      handlers.move(zoomAround(moved, spread(after) / Math.max(1, spread(before)), to));
    } else if (scale > 1) handlers.move(moved);
    else if (!pinched) handlers.drag({ x: to.x - began.x, y: to.y - began.y });
  });
  const lift = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || fingers.size > 0 || pinched) return;
    const at = pointOf(event);
    const moved = { x: at.x - began.x, y: at.y - began.y };
    const isTap = event.type === "pointerup" && Math.hypot(moved.x, moved.y) < tapSlop;
    if (handlers.place().scale === 1)
      handlers.drop(event.type === "pointerup" ? moved : { x: 0, y: 0 }, event.timeStamp - began.time);
    if (isTap) tap(at, event.timeStamp);
  };
  on("pointerup", lift);
  on("pointercancel", lift);
  on("wheel", (event) => {
    event.preventDefault();
    // A browser may report lines (1) or pages (2) instead of pixels (0).
    const pixels = event.deltaY * ([1, 33, 400][event.deltaMode] ?? 1);
    handlers.move(zoomAround(handlers.place(), Math.exp(-pixels / 400), pointOf(event)));
  });
}
