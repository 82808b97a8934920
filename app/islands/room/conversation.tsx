import { type FormEvent, useRef } from "react";
import { Avatar } from "../../components/avatar.tsx";
import { Bubble, PendingBubble } from "./bubble.tsx";
import { useStayAtEnd } from "./stay-at-end.ts";
import type { Presence, RoomProps } from "./types.ts";
import { useRoom } from "./use-room.ts";

/** Members, messages and composer. Every part is a plain form or link first, so the room works before any script. */
export function Conversation(props: RoomProps) {
  const room = useRoom(props);
  const { strings } = props;
  const writing = room.seats.filter((seat) => room.typing.includes(seat.id) && seat.id !== props.me);
  return (
    <div className="flex flex-col gap-4">
      <Seats {...props} seats={room.seats} presence={room.live ? room.presence : null} />
      <section
        aria-label={strings.conversation}
        className="grid gap-2 rounded-card border border-line bg-card p-3 sm:gap-3 sm:p-4"
      >
        <p className="flex items-center gap-2 text-sm text-quiet" role="status">
          {room.live && (
            <span aria-hidden className={`size-2 rounded-full ${room.connected ? "bg-good" : "bg-warn"}`} />
          )}
          {room.live && (room.connected ? strings.connected : strings.reconnecting)}
        </p>
        <Messages {...props} room={room} />
        <p className="min-h-5 text-sm text-quiet" aria-live="polite">
          {writing.map((seat) => `${seat.displayName} ${strings.typing}`).join(", ")}
        </p>
        <Composer {...props} send={room.send} onTyping={room.onTyping} />
      </section>
    </div>
  );
}

/** On a phone they come after the conversation. Presence is known only once the script runs. */
function Seats(props: RoomProps & { presence: Record<number, Presence> | null }) {
  const { strings } = props;
  return (
    <ul aria-label={strings.members} className="order-last grid gap-2 sm:order-first sm:grid-cols-2">
      {props.seats.map((seat) => {
        const presence = props.presence && (props.presence[seat.id] ?? "offline");
        return (
          <li key={seat.id} className="flex items-start gap-3 rounded-card border border-line bg-card p-3">
            <Avatar initials={seat.avatarInitials} />
            <div className="grid min-w-0 gap-0.5 text-sm">
              <p className="text-base font-bold wrap-anywhere">
                {seat.displayName}{" "}
                {seat.id === props.me && (
                  <span className="rounded-full bg-brand-soft px-2 py-0.5 text-xs text-brand">
                    {strings.you}
                  </span>
                )}
              </p>
              <p>
                <span className="font-semibold">{strings.roles[seat.role]}</span>
                {presence && <PresenceDot presence={presence} label={strings.presence[presence]} />}
              </p>
              <p className="text-quiet wrap-anywhere">
                {strings.phone}: {seat.phoneNumber || strings.notProvided}
              </p>
              <p className="text-quiet wrap-anywhere">
                {strings.bank}: {seat.bankAccount || strings.notProvided}
              </p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

const dots: Record<Presence, string> = {
  online: "bg-good",
  away: "bg-warn",
  busy: "bg-bad",
  offline: "bg-edge",
};

function PresenceDot({ presence, label }: { presence: Presence; label: string }) {
  return (
    <>
      <span aria-hidden className={`mr-1 ml-2 inline-block size-2 rounded-full ${dots[presence]}`} />
      {label}
    </>
  );
}

function Messages(props: RoomProps & { room: ReturnType<typeof useRoom> }) {
  const { room, strings } = props;
  const list = useRef<HTMLDivElement>(null);
  const shown = room.messages.filter(({ type }) => type !== "payment" && type !== "payment_qr");
  useStayAtEnd(list, `${shown.at(-1)?.seq} ${room.pending.length}`);
  return (
    <div
      ref={list}
      // The list scrolls inside itself, so a keyboard must be able to reach it.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs a stop for the keyboard
      tabIndex={0}
      role="log"
      aria-label={strings.messages}
      className="max-h-[50dvh] min-h-40 overflow-y-auto sm:max-h-[60dvh]"
    >
      <ol className="grid content-start gap-2">
        {props.hasOlder && (
          <li className="text-center">
            <a
              href={props.olderHref}
              className="inline-flex min-h-11 items-center font-semibold text-brand underline underline-offset-4"
            >
              {strings.older}
            </a>
          </li>
        )}
        {shown.length === 0 && room.pending.length === 0 && <li className="text-quiet">{strings.empty}</li>}
        {shown.map((message) => (
          <Bubble key={message.seq} message={message} seats={room.seats} me={props.me} strings={strings} />
        ))}
        {room.pending.map((item) => (
          <PendingBubble key={item.clientId} item={item} strings={strings} retry={() => room.retry(item)} />
        ))}
      </ol>
    </div>
  );
}

function Composer(props: RoomProps & { send: (content: string) => void; onTyping: () => void }) {
  const { strings } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const content = box.current?.value ?? "";
    if (box.current === null || content.trim() === "") return;
    props.send(content);
    box.current.value = "";
    box.current.focus();
  };
  return (
    <form method="post" onSubmit={submit} className="grid gap-2">
      <input type="hidden" name="form" value="message" />
      <input type="hidden" name="clientId" value={props.clientId} />
      {props.draftError && (
        <p id="composer-error" role="alert" className="text-sm font-semibold text-bad">
          {props.draftError}
        </p>
      )}
      <div className="flex items-end gap-2">
        <label className="sr-only" htmlFor="composer">
          {strings.placeholder}
        </label>
        <textarea
          ref={box}
          id="composer"
          name="content"
          rows={1}
          maxLength={4000}
          defaultValue={props.draft}
          // biome-ignore lint/a11y/noAutofocus: a message that was refused comes back with the focus in it
          autoFocus={props.draftError !== null}
          aria-invalid={props.draftError !== null || undefined}
          aria-describedby={props.draftError === null ? undefined : "composer-error"}
          placeholder={strings.placeholder}
          className="field-sizing-content max-h-40 min-h-11 w-full rounded-control border border-edge bg-card px-3 py-2 text-base placeholder:text-quiet"
          onInput={props.onTyping}
          onKeyDown={(event) => {
            // While an input method composes, Enter chooses a word and must not send.
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
          }}
        />
        <button
          type="submit"
          className="min-h-11 cursor-pointer rounded-control bg-brand px-4 py-2 font-semibold text-brand-ink"
        >
          {strings.send}
        </button>
      </div>
    </form>
  );
}
