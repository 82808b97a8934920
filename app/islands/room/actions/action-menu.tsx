/** One line of a menu: a link, or a button. */
export interface MenuAction {
  label: string;
  href?: string;
  download?: boolean;
  /** Runs once the menu has closed, so that it may move the focus. */
  run?: () => void;
  /** Runs in the open menu; its word replaces the label for a moment before the menu closes. */
  report?: () => Promise<string>;
}

interface ActionMenu {
  /** Name of the menu: whom and what it is about. */
  title: string;
  actions: MenuAction[];
  /** Explains why the menu lacks something that a person may look for. */
  note: string;
  close: string;
  /** Gets the focus back once the menu closes, unless an action has moved it. */
  opener: HTMLElement;
}

/** How long an action's result is shown, in ms. */
const resultShownMs = 900;

const menuClasses =
  "fixed inset-x-0 top-auto bottom-0 m-0 w-full max-w-none rounded-t-card border border-line bg-card p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] text-ink shadow-lift backdrop:bg-ink/40 sm:inset-0 sm:m-auto sm:w-80 sm:rounded-card";
const actionClasses =
  "flex min-h-11 w-full cursor-pointer items-center rounded-control px-3 text-left font-semibold text-ink no-underline hover:bg-sunk";

/**
 * Opens a menu of actions as a dialog: at the lower edge on a phone, in the middle on a wide screen. Plain elements and no component, so
 * that this file shares nothing with the room's script and is loaded when a menu is first opened.
 */
export function openActionMenu({ title, actions, note, close, opener }: ActionMenu): void {
  const menu = document.createElement("dialog");
  menu.className = menuClasses;
  menu.setAttribute("aria-label", title);
  const head = document.createElement("p");
  head.className = "line-clamp-2 px-3 py-1 text-sm text-quiet wrap-anywhere";
  head.textContent = title;
  const foot = document.createElement("p");
  foot.className = "px-3 py-2 text-sm text-quiet";
  foot.textContent = note;
  menu.append(head, ...actions.map((action) => lineOf(action, menu)), foot, closeButton(close, menu));
  menu.addEventListener("click", ({ target }) => target === menu && menu.close());
  menu.addEventListener("close", () => {
    const isFocusHere = menu.contains(document.activeElement) || document.activeElement === document.body;
    menu.remove();
    if (isFocusHere) opener.focus({ preventScroll: true });
  });
  document.body.append(menu);
  menu.showModal();
}

function lineOf(action: MenuAction, menu: HTMLDialogElement): HTMLElement {
  if (action.href !== undefined) {
    const link = document.createElement("a");
    link.href = action.href;
    if (action.download) link.download = "";
    link.className = actionClasses;
    link.textContent = action.label;
    if (action.download) link.addEventListener("click", () => menu.close());
    return link;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = actionClasses;
  button.textContent = action.label;
  button.addEventListener("click", async () => {
    if (action.report === undefined) {
      menu.close();
      action.run?.();
      return;
    }
    button.setAttribute("role", "status");
    button.textContent = (await action.report()) || action.label;
    setTimeout(() => menu.close(), resultShownMs);
  });
  return button;
}

function closeButton(label: string, menu: HTMLDialogElement): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `${actionClasses} justify-center text-brand`;
  button.textContent = label;
  button.addEventListener("click", () => menu.close());
  return button;
}

/** Copies a text. Returns whether the browser has the clipboard's interface and allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
