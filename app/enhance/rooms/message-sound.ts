import { readStored, writeStored } from "../browser/browser-storage.ts";

const soundKey = "midman-sound";
/** Several messages in a row make one sound. */
const quietMs = 4_000;
/** A message is read by then if another tab, or another device, shows it. */
const waitMs = 2_000;

let context: AudioContext | undefined;
let playedAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let restTimer: ReturnType<typeof setTimeout> | undefined;

const isOn = () => readStored("localStorage", soundKey) !== "off";

/**
 * Sounds for messages that arrive where nobody sees them: `message-unseen` on the document asks for it, `message-seen` takes that back.
 * Started by the first press on the page, before which a browser plays nothing. The button `[data-sound]` turns it off and on for this
 * browser; the root's `data-sound-is` says which, and shows the button.
 */
export function startMessageSound(): void {
  const mark = () => {
    document.documentElement.dataset.soundIs = isOn() ? "on" : "off";
  };
  mark();
  // Some browsers let a page make sounds only from within a press.
  for (const type of ["pointerup", "keydown"]) addEventListener(type, unlock);
  unlock();
  addEventListener("storage", mark);
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || target.closest("[data-sound]") === null) return;
    writeStored("localStorage", soundKey, isOn() ? "off" : null);
    mark();
    if (isOn()) play();
  });
  document.addEventListener("message-unseen", () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (isOn() && Date.now() - playedAt >= quietMs) play();
    }, waitMs);
  });
  document.addEventListener("message-seen", () => {
    clearTimeout(timer);
    timer = undefined;
  });
}

/** Makes the audio ready, then lets it rest: only a tone needs the device's speaker. */
function unlock(): void {
  if (typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state !== "suspended") return;
  for (const type of ["pointerup", "keydown"]) removeEventListener(type, unlock);
  void rest(context.resume());
}

async function rest(running: Promise<void>): Promise<void> {
  await running.catch(() => {});
  if (Date.now() - playedAt >= quietMs) await context?.suspend().catch(() => {});
}

/** Two short, soft tones, the second one higher. */
function play(): void {
  if (context === undefined) return;
  playedAt = Date.now();
  void context.resume().catch(() => {});
  const start = context.currentTime + 0.05;
  for (const [frequency, after] of [
    [660, 0],
    [880, 0.12],
  ] as const) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, start + after);
    volume.gain.exponentialRampToValueAtTime(0.15, start + after + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + after + 0.25);
    tone.connect(volume).connect(context.destination);
    tone.start(start + after);
    tone.stop(start + after + 0.26);
  }
  clearTimeout(restTimer);
  restTimer = setTimeout(() => void context?.suspend().catch(() => {}), quietMs);
}
