/**
 * Says a line on the console, before and beside the log: standard output, or standard error for an error. With LOG_FORMAT=json it is one JSON
 * object a line, as the log's are. Imports nothing, so that it can say that packages are missing.
 */
export function say(words: string, level: "info" | "error" = "info"): void {
  const isJson = process.env.LOG_FORMAT === "json";
  const time = new Date().toISOString();
  const line = isJson ? JSON.stringify({ level: level === "info" ? 30 : 50, time, msg: words }) : words;
  if (level === "info") console.log(line);
  else console.error(line);
}
