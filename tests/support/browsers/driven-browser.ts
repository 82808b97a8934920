/** The commands of W3C WebDriver that the tests give: as its HTTP requests, and as Firefox's own protocol names them. */
export const driverCommands = {
  open: { method: "POST", path: "url", marionette: "WebDriver:Navigate" },
  address: { method: "GET", path: "url", marionette: "WebDriver:GetCurrentURL" },
  run: { method: "POST", path: "execute/sync", marionette: "WebDriver:ExecuteScript" },
  click: { method: "POST", path: "element/{id}/click", marionette: "WebDriver:ElementClick" },
  type: { method: "POST", path: "element/{id}/value", marionette: "WebDriver:ElementSendKeys" },
  picture: { method: "GET", path: "screenshot", marionette: "WebDriver:TakeScreenshot" },
  frame: { method: "POST", path: "frame", marionette: "WebDriver:SwitchToFrame" },
  addCookie: { method: "POST", path: "cookie", marionette: "WebDriver:AddCookie" },
} as const;

/** How one browser is given commands. A command that it refuses is an error with the browser's own words. */
export type DriverLink = {
  send(command: keyof typeof driverCommands, parameters: Record<string, unknown>): Promise<unknown>;
  /** Ends the browser, and removes what it kept. */
  close(): Promise<void>;
};

/** What is looked for: the first visible element of a CSS selector, with such words where it is a pair. */
export type Sought = string | readonly [selector: string, words: string];

/** A browser that WebDriver drives, with one window. Every wait ends in an error that says what did not come. */
export type DrivenBrowser = {
  open(url: string): Promise<void>;
  address(): Promise<string>;
  /** Runs the body of a function in the page; its arguments and its answer are JSON. */
  run<Answer>(body: string, ...given: unknown[]): Promise<Answer>;
  /** Waits until it is visible; returns its text. */
  see(what: Sought): Promise<string>;
  /** Waits until it is visible and takes the press, as a person's would be: what covers it gets in its way. */
  click(what: Sought): Promise<void>;
  /** Waits until it is visible, and types into it by the keyboard. */
  type(what: Sought, text: string): Promise<void>;
  /** Waits until the answer is true. What fails meanwhile (a page that is being left) is asked again. */
  until(what: string, ask: () => Promise<boolean>): Promise<void>;
  addCookie(cookie: { name: string; value: string }): Promise<void>;
  /** What the window shows, as a PNG. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
};

/** Wide, because these browsers draw without a graphics card beside other tests; a page that works answers in a second. */
const patienceMs = 60_000;

/** WebDriver's name for a reference to an element. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";

const findVisible = `
  const [selector, words] = arguments;
  const isVisible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === "visible";
  };
  const wordsOf = (element) => element.textContent.replace(/\\s+/g, " ");
  const found = [...document.querySelectorAll(selector)];
  return found.find((element) => wordsOf(element).includes(words) && isVisible(element)) ?? null;`;

/** Drives a browser by a link to it. */
export function driveBrowser({ send, close }: DriverLink): DrivenBrowser {
  const run = async <Answer>(body: string, ...given: unknown[]) =>
    (await send("run", { script: body, args: given })) as Answer;
  const until: DrivenBrowser["until"] = async (what, ask) => {
    let last: unknown = "it did not come";
    for (const end = Date.now() + patienceMs; Date.now() < end; await Bun.sleep(100)) {
      try {
        if (await ask()) return;
      } catch (error) {
        last = error;
      }
    }
    const address = await send("address", {}).catch(String);
    throw new Error(`Waited for ${what} at ${address}: ${last instanceof Error ? last.message : last}`);
  };
  /** Waits for an element, and for what is done to it to succeed: a page may replace it in between. */
  const find = async <Answer>(what: Sought, act: (id: string) => Promise<Answer>): Promise<Answer> => {
    const [selector, words = ""] = typeof what === "string" ? [what] : what;
    let answer: Answer | undefined;
    await until(`${selector} ${words}`.trim(), async () => {
      const element = await run<Record<string, string> | null>(findVisible, selector, words);
      const id = element?.[elementKey];
      if (id === undefined) return false;
      answer = await act(id);
      return true;
    });
    return answer as Answer;
  };
  return {
    run,
    until,
    close,
    open: async (url) => void (await send("open", { url })),
    address: async () => String(await send("address", {})),
    see: (what) => find(what, (id) => run("return arguments[0].textContent", { [elementKey]: id })),
    click: (what) => find(what, async (id) => void (await send("click", { id }))),
    type: (what, text) => find(what, async (id) => void (await send("type", { id, text }))),
    addCookie: async (cookie) => void (await send("addCookie", { cookie })),
    picture: async () => Buffer.from(String(await send("picture", { full: false })), "base64"),
  };
}
