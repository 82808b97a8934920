/** The name of the database constraint that an error reports, if it reports one. */
export function violatedConstraint(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  if (typeof cause !== "object" || cause === null || !("constraint_name" in cause)) return undefined;
  return typeof cause.constraint_name === "string" ? cause.constraint_name : undefined;
}
