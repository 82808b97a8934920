/** What is assumed of a person who uses Midman on a day. None of it is measured: there is no such day to look at yet. */
export const habits = {
  message: 20,
  page: 15,
  payment: 0.2,
  /** The part of a day's work that falls into the busiest hour of the evening. */
  evening: 0.12,
};

/** A step: so many instances of one core each, and so many cores of the database for their questions. */
export type Step = { name: string; instances: number; database: number };

export const steps: readonly Step[] = [
  { name: "1. one machine, 2 cores", instances: 1, database: 1 },
  { name: "2. 4 instances, Postgres on 4 cores, Redis", instances: 4, database: 4 },
  { name: "3. 12 instances, managed Postgres on 16 cores", instances: 12, database: 16 },
  { name: "4. 48 instances, Postgres on 64 cores, Redis cluster", instances: 48, database: 64 },
];
