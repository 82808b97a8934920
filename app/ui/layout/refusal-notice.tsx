import { unpackMessage } from "#format";
import { useText } from "../frame/i18n.tsx";
import { Notice } from "./notice.tsx";

/** Shows why a person may not use a page's form, in place of the form. */
export function RefusalNotice({ message }: { message: string }) {
  const text = useText();
  const { key, params } = unpackMessage(message);
  return <Notice tone="warn">{text(key, params)}</Notice>;
}
