import { readFileSync, writeFileSync } from "node:fs";
import { settingsFile } from "./service.ts";

/** Fills in the file of settings as an operator does: `NAME=` of the file gets its value, what is not there comes after it. */
export function set(values: Record<string, string>): void {
  let text = readFileSync(settingsFile, "utf8");
  for (const [name, value] of Object.entries(values)) {
    const line = `${name}='${value}'`;
    const there = new RegExp(`^${name}=.*$`, "m");
    text = there.test(text) ? text.replace(there, () => line) : `${text.trimEnd()}\n${line}\n`;
  }
  writeFileSync(settingsFile, text);
}

/** Takes settings out of the file. */
export function unset(...names: string[]): void {
  const text = readFileSync(settingsFile, "utf8");
  const kept = text.split("\n").filter((line) => !names.some((name) => line.startsWith(`${name}=`)));
  writeFileSync(settingsFile, kept.join("\n"));
}

/** A setting as it stands in the file; empty where it is not set. */
export function get(name: string): string {
  const [, value = ""] =
    new RegExp(`^${name}='?([^'\n]*)'?$`, "m").exec(readFileSync(settingsFile, "utf8")) ?? [];
  return value;
}
