import { SendHorizontal } from "lucide";
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { roomLimits } from "#constants/rooms";
import { hasVisibleText } from "#format";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { ReplyBar } from "../actions/message-quote.tsx";
import type { Quote, RoomProps, WrittenMessage } from "../types.ts";
import { draftOf } from "./message-draft.ts";

/** The count of remaining characters shows when fewer than this are left. */
const countShownBelow = 400;

type ComposerProps = RoomProps & {
  /** Returns false if too many messages wait already. Calls `onStored` once the message is stored, or storing has failed. */
  send: (written: WrittenMessage, onStored: () => void) => boolean;
  onTyping: () => void;
  setReply: (quote: Quote | null) => void;
  /** Whether sending is disabled; the draft is kept. */
  isClosed: boolean;
};

/** The field and button for a new message; without script it is an ordinary form. */
export function Composer(props: ComposerProps) {
  const { strings, roomId, me, reply, setReply } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const [left, setLeft] = useState<number | null>(null);
  const [error, setError] = useState(props.draftError);
  const draft = draftOf(me, roomId);
  const showLength = (area: HTMLTextAreaElement) => {
    const rest = roomLimits.messageMax - area.value.length;
    setLeft(rest < countShownBelow ? rest : null);
    growToText(area);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: run once, after hydration
  useEffect(() => {
    const area = box.current;
    if (area === null) return;
    // Text typed before hydration, or restored by the browser, is newer than the draft.
    if (area.value === "") area.value = draft.read();
    showLength(area);
    return draft.dropAtSignOut();
  }, []);
  const formerReply = useRef(reply);
  useEffect(() => {
    if (reply !== null && reply !== formerReply.current) box.current?.focus();
    formerReply.current = reply;
  }, [reply]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const area = box.current;
    if (area === null || !hasVisibleText(area.value) || props.isClosed) return;
    const content = area.value;
    // The draft is deleted only once the outbox has taken over the message, so that one of the two always holds the text.
    const written = { kind: "text", content, ...(reply && { replyTo: reply }) } as const;
    if (!props.send(written, () => area.value === "" && draft.write(""))) return setError(strings.outboxFull);
    setError(null);
    setReply(null);
    area.value = "";
    showLength(area);
    area.focus();
  };
  const onType = (area: HTMLTextAreaElement) => {
    draft.write(area.value);
    showLength(area);
    props.onTyping();
  };
  return (
    <PersonForm person={me} onSubmit={submit} className="grid gap-1">
      <input type="hidden" name="form" value="message" />
      <input type="hidden" name="clientId" value={props.clientId} />
      {reply && (
        <>
          <input type="hidden" name="replyTo" value={reply.seq} />
          <ReplyBar quote={reply} {...props} cancel={() => setReply(null)} />
        </>
      )}
      {error && (
        <p id="composer-error" role="alert" className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
      <ComposerField {...props} box={box} error={error} onType={onType} submit={submit} />
      <p aria-live="polite" className="text-right text-xs text-quiet empty:hidden">
        {left !== null && `${left} ${strings.left}`}
      </p>
    </PersonForm>
  );
}

interface ComposerFieldProps extends Pick<ComposerProps, "strings" | "draft" | "draftError" | "isClosed"> {
  box: RefObject<HTMLTextAreaElement | null>;
  error: string | null;
  onType: (area: HTMLTextAreaElement) => void;
  submit: (event: FormEvent) => void;
}

/** The field and its button. */
function ComposerField({
  strings,
  draft,
  draftError,
  isClosed,
  box,
  error,
  onType,
  submit,
}: ComposerFieldProps) {
  return (
    <div className="flex items-end gap-2">
      <label className="sr-only" htmlFor="composer">
        {strings.placeholder}
      </label>
      <textarea
        ref={box}
        id="composer"
        name="content"
        rows={1}
        maxLength={roomLimits.messageMax}
        defaultValue={draft}
        // biome-ignore lint/a11y/noAutofocus: a refused message comes back with the focus in its field
        autoFocus={draftError !== null}
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : "composer-error"}
        placeholder={strings.placeholder}
        className="field-sizing-content max-h-[min(9rem,30vh)] min-h-[min(2.75rem,14vw)] w-full min-w-0 resize-none rounded-3xl border border-edge bg-page px-[min(1rem,5vw)] py-[min(0.5rem,2.5vw)] text-base wrap-anywhere placeholder:text-quiet"
        onInput={({ currentTarget }) => onType(currentTarget)}
        onKeyDown={(event) => isSendKey(event) && submit(event)}
      />
      <button
        type="submit"
        disabled={isClosed}
        // Prevents the button from taking the focus, so that a phone's keyboard stays open.
        onPointerDown={(event) => event.preventDefault()}
        className="grid size-[min(2.75rem,14vw)] shrink-0 cursor-pointer place-items-center rounded-full bg-brand text-brand-ink disabled:cursor-not-allowed disabled:opacity-50"
      >
        <span className="sr-only">{strings.send}</span>
        <Icon of={SendHorizontal} />
      </button>
    </div>
  );
}

/**
 * Enter sends; Shift+Enter breaks the line. On a touch screen, whose keyboard has no Shift+Enter, Enter breaks the line and the button
 * sends, as in other messengers. While an input method composes (some report it by code 229 only), Enter chooses a word.
 */
function isSendKey({ key, shiftKey, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  if (key !== "Enter" || shiftKey || nativeEvent.isComposing || nativeEvent.keyCode === 229) return false;
  return ctrlKey || metaKey || !matchMedia("(pointer: coarse)").matches;
}

/** Grows the field with its text in browsers without `field-sizing`. */
function growToText(area: HTMLTextAreaElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + 2}px`;
}
