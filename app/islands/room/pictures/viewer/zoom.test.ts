import { describe, expect, test } from "bun:test";
import { fittedPlace, limitPlace, maxZoom, swipeResult, zoomAround } from "./zoom.ts";

const view = { x: 360, y: 640 };
const fitted = { x: 360, y: 200 };

describe("zooming", () => {
  test("keeps what is under the finger where it is", () => {
    const at = { x: 100, y: -50 };
    const place = zoomAround(fittedPlace, 2, at);
    expect(place).toEqual({ scale: 2, x: -100, y: 50 });
    // The point of the picture under the finger: (at - offset) / scale.
    expect([(at.x - place.x) / place.scale, (at.y - place.y) / place.scale]).toEqual([100, -50]);
  });

  test("stays between 1 and the maximum", () => {
    expect(zoomAround(fittedPlace, 0.1, { x: 5, y: 5 })).toEqual(fittedPlace);
    expect(zoomAround(fittedPlace, 100, { x: 0, y: 0 }).scale).toBe(maxZoom);
  });

  test("leaves no more of the window empty than the fitted picture", () => {
    expect(limitPlace({ scale: 2, x: 1_000, y: -1_000 }, fitted, view)).toEqual({ scale: 2, x: 180, y: 0 });
    expect(limitPlace({ scale: 5, x: -1_000, y: -1_000 }, fitted, view)).toEqual({
      scale: 5,
      x: -720,
      y: -180,
    });
    expect(limitPlace({ scale: 1, x: 20, y: 20 }, fitted, view)).toEqual(fittedPlace);
  });
});

describe("a swipe", () => {
  test("goes on, goes back, closes, or does nothing", () => {
    expect(swipeResult({ x: -60, y: 10 }, 150, view)).toBe("next");
    expect(swipeResult({ x: 60, y: -10 }, 150, view)).toBe("previous");
    expect(swipeResult({ x: 5, y: 90 }, 150, view)).toBe("close");
    expect(swipeResult({ x: -60, y: 10 }, 900, view)).toBeUndefined();
    expect(swipeResult({ x: -120, y: 10 }, 900, view)).toBe("next");
    expect(swipeResult({ x: 0, y: -300 }, 150, view)).toBeUndefined();
    expect(swipeResult({ x: 0, y: 0 }, 50, view)).toBeUndefined();
  });
});
