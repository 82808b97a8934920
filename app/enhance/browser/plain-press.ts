/** False if the browser is asked to open a link elsewhere (another button, or a modifier key): a script then leaves the press alone. */
export function isPlainPress({
  button,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Pick<MouseEvent, "button" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
