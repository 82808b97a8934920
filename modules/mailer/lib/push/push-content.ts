import { localText } from "../templates/local-text.ts";
import { type PushEvent, tagOf } from "./push-events.ts";
import type { PushReader } from "./push-reader.ts";

export type PushNotification = { event: PushEvent; params: Record<string, string | number>; url: string };

/** The payload for the service worker: texts in the user's language, and a path on Midman to open. */
export type PushContent = {
  title: string;
  body: string;
  url: string;
  tag: string;
  silent: boolean;
  lang: string;
};

/** Builds a notification's payload. */
export function contentOf(
  { event, params, url }: PushNotification,
  { language, withSound }: PushReader,
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
    silent: !withSound,
    lang: language,
  };
}
