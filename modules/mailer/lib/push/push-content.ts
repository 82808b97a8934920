import { localText } from "../templates/local-text.ts";
import { type PushEvent, tagOf } from "./push-events.ts";
import type { PushReader } from "./push-reader.ts";

export type PushNotification = { event: PushEvent; params: Record<string, string | number>; url: string };

/** What the service worker gets: words in the reader's language, and a path of ours to open. */
export type PushContent = {
  title: string;
  body: string;
  url: string;
  tag: string;
  silent: boolean;
  lang: string;
};

/** A notification's words and where it leads. */
export function contentOf(
  { event, params, url }: PushNotification,
  { language, aloud }: PushReader,
): PushContent {
  const values: Record<string, string> = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, String(value)]),
  );
  if (values.task !== undefined) values.task = localText(language, `push.tasks.${values.task}`, {});
  if (values.step !== undefined) values.step = localText(language, `push.steps.${values.step}`, {});
  return {
    title: localText(language, `push.${event}.title`, values),
    body: localText(language, `push.${event}.body`, values),
    url,
    tag: tagOf(event, url),
    silent: !aloud,
    lang: language,
  };
}
