import { useText } from "./i18n.tsx";
import { unpacked } from "./message.ts";
import { Notice } from "./notice.tsx";

/** Says why somebody may not do what a page is for, in the place of its form. */
export function RefusalNotice({ message }: { message: string }) {
  const text = useText();
  const { key, params } = unpacked(message);
  return <Notice tone="warn">{text(key, params)}</Notice>;
}
