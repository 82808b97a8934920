/** What a full fault suite found: how much it did, and every promise it saw broken. */
export type Figures = {
  suite: string;
  seed: number;
  counts: Record<string, number>;
  failures: string[];
  seconds: number;
};
