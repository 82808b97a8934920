/**
 * Prints a line that is not part of the log: to standard output, or to standard error for an error. With LOG_FORMAT=json the line is a JSON object
 * with the log's fields. Imports nothing, so that it can report missing packages.
 */
export function printLine(message: string, level: "info" | "error" = "info"): void {
  const isJson = process.env.LOG_FORMAT === "json";
  const time = new Date().toISOString();
  const line = isJson ? JSON.stringify({ level: level === "info" ? 30 : 50, time, msg: message }) : message;
  if (level === "info") console.log(line);
  else console.error(line);
}
