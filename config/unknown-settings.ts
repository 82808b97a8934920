/** First words of names that only Midman's settings use. */
const ownNamePattern =
  /^(?:QPAY|SMTP|MAIL|ADMIN|SUPPORT|OPERATOR|DATABASE|S3|VAPID|PUSH|AUDIT|BACKUP|ENCRYPTION|FEE|PAYOUT|TRUST|DRAIN|METRICS|THROTTLE|MAINTENANCE|MIDMAN)_/;
/** Names that a cluster sets in every container for each of its services (Kubernetes, Docker links). */
const serviceNamePattern = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP)(?:_\w+)?)?)$/;
/** Midman's own names that the program itself does not read: those of compose. */
const otherOwnNames: ReadonlySet<string> = new Set(["MIDMAN_VERSION"]);

/** A name with at least LONG letters that differs from a setting's name by at most SLIPS letters counts as misspelt. */
const LONG = 8;
const SLIPS = 2;

/**
 * Returns a line for each name that looks like a setting of Midman but is none, with the name that was probably meant. Otherwise a misspelt
 * setting would be ignored silently.
 */
export function findUnknownNames(given: readonly string[], known: readonly string[]): string[] {
  return given
    .filter((name) => !known.includes(name) && !otherOwnNames.has(name) && !serviceNamePattern.test(name))
    .flatMap((name) => {
      const nearest = nearestOf(name, known);
      if (!ownNamePattern.test(name) && (nearest === undefined || name.length < LONG)) return [];
      return [
        `${name}: is not a setting of Midman${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
      ];
    });
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  const near = known
    .map((other) => ({ other, slips: slipsBetween(name, other) }))
    .filter(({ slips }) => slips <= SLIPS);
  return near.sort((a, b) => a.slips - b.slips)[0]?.other;
}

/** The number of letters to insert, delete or change (Levenshtein distance). */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [k, other] of [...b].entries()) {
      const changed = (row[k] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[k + 1] ?? 0) + 1, (next[k] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
