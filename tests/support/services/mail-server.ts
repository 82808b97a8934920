import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** How the mail server is out of sorts: the code it answers with at a point of the talk, or what it does once it has a mail. */
export type MailServerFaults = { connect?: number; recipient?: number; data?: number; taken?: () => void };

/** A mail server of loopback: it takes every mail and keeps it, but for addresses that it does not know. */
export type TestMailServer = {
  /** For SMTP_URL. */
  url: string;
  /** What reached an address so far, oldest first. */
  of(address: string): Promise<Email[]>;
  /** Leaves mail to this address without an answer; answers how many wait so by now. */
  hold(address: string): () => number;
  /** Takes new mail to it again; what was left waiting is not taken any more. */
  release(address: string): void;
  /** Everything that reached it so far, as it came. */
  taken: ReadonlyArray<{ to: string[]; raw: string }>;
  /** Replaces how it is; `{}` is well. */
  be(mood: MailServerFaults): void;
  stop(): Promise<void>;
};

const createRefusal = (words: string, responseCode: number) =>
  Object.assign(new Error(words), { responseCode });

/** Opens one; mail to `unknown` is refused for good (550). */
export async function startMailServer(unknown?: string): Promise<TestMailServer> {
  const taken: Array<{ to: string[]; raw: string }> = [];
  const held = new Map<string, number>();
  let mood: MailServerFaults = {};
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    disabledCommands: ["STARTTLS"],
    onConnect(_, done) {
      done(mood.connect === undefined ? undefined : createRefusal("not now", mood.connect));
    },
    onRcptTo({ address }, _, done) {
      const waiting = held.get(address);
      if (waiting !== undefined) return void held.set(address, waiting + 1);
      const code = address === unknown ? 550 : mood.recipient;
      done(code === undefined ? undefined : createRefusal("no such mailbox", code));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (mood.data !== undefined) return done(createRefusal("not now", mood.data));
        const to = envelope.rcptTo.map(({ address }) => address);
        taken.push({ to, raw: Buffer.concat(chunks).toString("utf8") });
        mood.taken?.();
        done();
      });
    },
  });
  // A connection that the server of a test leaves open when it ends is no error of ours.
  server.on("error", () => {});
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, "127.0.0.1", () => {
      const address = listening.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    of: (address) =>
      Promise.all(taken.filter(({ to }) => to.includes(address)).map(({ raw }) => PostalMime.parse(raw))),
    hold: (address) => {
      held.set(address, 0);
      return () => held.get(address) ?? 0;
    },
    release: (address) => void held.delete(address),
    taken,
    be: (next) => {
      mood = next;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
