/** Most present first: a person online on one device and away on another is online. */
export const presenceStatuses = ["online", "busy", "away", "offline"] as const;
export type PresenceStatus = (typeof presenceStatuses)[number];

/** True for somebody who looks at the page, whether or not they want to be disturbed. */
export function isAttending(status: PresenceStatus): boolean {
  return status === "online" || status === "busy";
}

type PresenceLease = { status: PresenceStatus; until: number };
export type PresenceChange = { userId: number; status: PresenceStatus };

/** The most present status of several. */
export function mostPresent(of: Iterable<PresenceStatus>): PresenceStatus {
  const all = new Set(of);
  return presenceStatuses.find((status) => all.has(status)) ?? "offline";
}

/**
 * The people present in a room, on any instance: one lease for each person and instance. An instance that dies renews nothing, and its
 * people are offline when their leases expire. Times are in milliseconds, passed by the caller.
 */
export class Presence {
  readonly #leases = new Map<number, Map<string, PresenceLease>>();

  /** Records an instance's report on a person; returns the resulting change, if any. */
  note(userId: number, instance: string, status: PresenceStatus, until: number): PresenceChange | undefined {
    const before = this.#of(userId);
    const leases = this.#leases.get(userId) ?? new Map<string, PresenceLease>();
    if (status === "offline") leases.delete(instance);
    else leases.set(instance, { status, until });
    if (leases.size > 0) this.#leases.set(userId, leases);
    else this.#leases.delete(userId);
    return this.#changed(userId, before);
  }

  /** Removes expired leases; returns the changes. */
  expire(at: number): PresenceChange[] {
    return [...this.#leases].flatMap(([userId, leases]) => {
      const run = [...leases].filter(([, { until }]) => until <= at);
      return run.flatMap(([instance]) => this.note(userId, instance, "offline", at) ?? []);
    });
  }

  /** Everyone who is not offline. */
  all(): PresenceChange[] {
    return [...this.#leases.keys()].map((userId) => ({ userId, status: this.#of(userId) }));
  }

  #of(userId: number): PresenceStatus {
    return mostPresent([...(this.#leases.get(userId)?.values() ?? [])].map(({ status }) => status));
  }

  #changed(userId: number, before: PresenceStatus): PresenceChange | undefined {
    const status = this.#of(userId);
    return status === before ? undefined : { userId, status };
  }
}
