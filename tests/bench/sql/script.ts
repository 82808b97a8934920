/** A statement as the server sent it, and the columns of its answer where that was one row. */
export type Recorded = { text: string; values: unknown[]; answer: Array<{ name: string; value: unknown }> };

/** What differs from one run to the next: the value that was recorded, and the SQL that stands for it in pgbench's script. */
export type Variable = { value: string | number; sql: string };

/**
 * A script for pgbench that runs the recorded statements, in their order and each by itself, as one transaction of the bench. A value
 * is what stands for it among `variables`; else, where a statement before has answered with it, that answer; and else the value
 * that was recorded. Ids must be long enough not to be met by chance (`apart`), and a UUID that no answer has had is made anew each
 * time. `head` is put first.
 */
export function scriptOf(
  recorded: readonly Recorded[],
  variables: readonly Variable[],
  head: string,
): string {
  const known = [...variables];
  const lines: string[] = [];
  const asked = recorded.map(({ values }) => values.map(plain).join("\n"));
  for (const [at, { text, values, answer }] of recorded.entries()) {
    for (const value of values) nameNew(value, known);
    const statement = filled(text, values, known);
    const rest = asked.slice(at + 1).join("\n");
    const wanted = answer.filter(
      ({ name, value }) =>
        isId(answered(value)) &&
        answer.filter((other) => other.name === name).length === 1 &&
        !known.some((one) => String(one.value) === answered(value)) &&
        rest.includes(answered(value)),
    );
    for (const { name, value } of wanted) known.push({ value: answered(value), sql: `:s${at}_${name}` });
    lines.push(wanted.length === 0 ? `${statement};` : `${statement} \\gset s${at}_`);
  }
  return `${[head, "\\set once random(1, 9000000000000000000)", ...lines].join("\n")}\n`;
}

/** A UUID that the server made itself: the same wherever it comes again in this run, another one in the next. */
function nameNew(value: unknown, known: Variable[]): void {
  if (typeof value !== "string") return;
  for (const [uuid] of value.matchAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g)) {
    if (known.some((one) => one.value === uuid)) continue;
    known.push({ value: uuid, sql: `md5(:once::text || '${known.length}')::uuid` });
  }
}

/** Ids, UUIDs, codes of trades and moments: what one statement answers and a later one must say again. */
const ids = [
  /^\d{7,}$/,
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  /^MM-[\dA-Z]{8}$/,
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
];
const isId = (value: string) => ids.some((pattern) => pattern.test(value));

/** An answer as it would be said again: moments come with a space and an offset, and leave as ISO has them. */
function answered(value: unknown): string {
  const text = plain(value ?? "");
  return /^\d{4}-\d\d-\d\d \d\d:/.test(text) ? new Date(text).toISOString() : text;
}

/** The statement with its values in it, on one line: a variable of pgbench's is sent as a parameter. */
function filled(text: string, values: readonly unknown[], known: readonly Variable[]): string {
  const line = text.replace(/\s+/g, " ").trim();
  const literals = line.replace(/'[^']*'/g, (literal) => quoted(literal.slice(1, -1)));
  return literals.replace(/\$(\d+)/g, (_, number) => spelled(values[Number(number) - 1], known));
}

function spelled(value: unknown, known: readonly Variable[]): string {
  if (value === null || value === undefined) return "NULL";
  const text = plain(value);
  const whole = known.find((one) => String(one.value) === text);
  if (whole !== undefined) return whole.sql;
  const values = known.map((one) => String(one.value)).filter((one) => text.includes(one));
  if (values.length === 0) return quoted(text);
  // Split by a group, so that what is between the texts are the values.
  const parts = text.split(new RegExp(`(${values.map((one) => RegExp.escape(one)).join("|")})`));
  const spelledParts = parts.map((part, at) => {
    const variable = at % 2 === 1 ? known.find((one) => String(one.value) === part) : undefined;
    return variable === undefined ? quoted(part) : `${variable.sql}::text`;
  });
  // A parameter takes the type its place asks for; what is put together is text, and no jsonb.
  const type = /^[{[]"|^\[\{/.test(text) ? "::jsonb" : "";
  return `(${spelledParts.join(" || ")})${type}`;
}

/** As the driver sends it. */
function plain(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map((each) => JSON.stringify(plain(each))).join(",")}}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** pgbench takes a colon before a word for a variable's even within quotes. */
function quoted(text: string): string {
  const doubled = text.replaceAll("'", "''");
  if (!/:[a-z_]/i.test(text)) return `'${doubled}'`;
  return `E'${doubled.replaceAll("\\", "\\\\").replaceAll(":", "\\x3a")}'`;
}
