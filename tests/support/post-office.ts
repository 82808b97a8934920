import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail server of loopback: it takes every mail and keeps it, but for addresses that it does not know. */
export type PostOffice = {
  /** For SMTP_URL. */
  url: string;
  /** What reached an address so far, oldest first. */
  of(address: string): Promise<Email[]>;
  /** Leaves mail to this address without an answer; answers how many wait so by now. */
  hold(address: string): () => number;
  /** Takes new mail to it again; what was left waiting is not taken any more. */
  release(address: string): void;
  stop(): Promise<void>;
};

/** Opens one; mail to `unknown` is refused for good (550). */
export async function postOffice(unknown: string): Promise<PostOffice> {
  const taken: Array<{ to: string[]; raw: string }> = [];
  const held = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _, done) {
      const waiting = held.get(address);
      if (waiting !== undefined) return void held.set(address, waiting + 1);
      done(
        address === unknown ? Object.assign(new Error("no such mailbox"), { responseCode: 550 }) : undefined,
      );
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        taken.push({ to, raw: Buffer.concat(chunks).toString("utf8") });
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
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
