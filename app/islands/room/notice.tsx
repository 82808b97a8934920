import { clock } from "./clock.ts";
import type { Message } from "./types.ts";

const tones: Record<string, string> = {
  joined: "border-good bg-good-soft",
  left: "border-warn bg-warn-soft",
  paymentConfirmed: "border-good bg-good-soft",
};

/** What Midman itself says. Only the server makes one: nothing a member types has this element or this look. */
export function Notice({ message, label }: { message: Message; label: string }) {
  const tone = tones[message.notice?.code ?? ""] ?? "border-brand bg-page";
  return (
    <li data-notice={message.notice?.code} className={`grid gap-0.5 border-l-4 px-3 py-2 text-sm ${tone}`}>
      <strong className="text-xs tracking-wide text-quiet uppercase">{label}</strong>
      <span className="wrap-anywhere">{message.content}</span>
      <time className="text-xs text-quiet" dateTime={message.createdAt}>
        {clock(message.createdAt)}
      </time>
    </li>
  );
}
