import { type FormEvent, useRef } from "react";
import type { RoomProps } from "./types.ts";

/** Where a message is written; without script it is a form like any other. */
export function Composer(props: RoomProps & { send: (content: string) => void; onTyping: () => void }) {
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
