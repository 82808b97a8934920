import type { Client } from "../../support/server/http-client.ts";

/** A message as a member's screen has it. */
export type Line = {
  id: number;
  seq: number;
  senderId: number | null;
  clientId: string | null;
  content: string;
};

/** What a member notes of what must never be. */
export type Faults = string[];

/**
 * One member's view of a room: takes lines as they come, sees by `seq` what is missing, and fetches `?after=<seq>` until
 * nothing is.
 */
export class View {
  readonly lines = new Map<number, Line>();
  readonly clientIds = new Map<string, number>();
  /** Everything up to here is there. */
  whole = 0;
  /** The highest `seq` that the room is known to have. */
  known = 0;
  fetched = 0;
  #fetching = false;

  constructor(
    readonly name: string,
    readonly roomId: number,
    readonly browser: () => Client,
    readonly faults: Faults,
    readonly onLine: (line: Line) => void,
  ) {}

  take(line: Line): void {
    const had = this.lines.get(line.seq);
    if (had !== undefined) {
      if (had.id !== line.id || had.content !== line.content)
        this.faults.push(`${this.name}: seq ${line.seq} was ${had.content} and became ${line.content}`);
      return;
    }
    this.lines.set(line.seq, line);
    if (line.clientId !== null) {
      if (this.clientIds.has(line.clientId))
        this.faults.push(`${this.name}: ${line.content} was shown twice`);
      this.clientIds.set(line.clientId, line.seq);
    }
    this.known = Math.max(this.known, line.seq);
    while (this.lines.has(this.whole + 1)) this.whole += 1;
    this.onLine(line);
  }

  /** The room has so many: whatever is not here was missed, and is fetched. */
  async hear(seq: number): Promise<void> {
    this.known = Math.max(this.known, seq);
    if (this.#fetching) return;
    this.#fetching = true;
    for (let tries = 0; this.whole < this.known && tries < 50; tries++) {
      const got = await this.#fetch().catch(() => -1);
      if (got < 0) await Bun.sleep(Math.min(100 * 2 ** tries, 2_000));
    }
    this.#fetching = false;
  }

  async #fetch(): Promise<number> {
    const path = `/api/chat/rooms/${this.roomId}/messages?after=${this.whole}&limit=200`;
    const reply = await this.browser().get(path);
    if (reply.status === 503) return -1;
    if (reply.status !== 200) {
      this.faults.push(`${this.name}: the history answered ${reply.status} ${reply.text.slice(0, 100)}`);
      return -1;
    }
    const lines = reply.list as unknown as Line[];
    for (const line of lines) this.take(line);
    this.fetched += lines.length;
    return lines.length;
  }
}
