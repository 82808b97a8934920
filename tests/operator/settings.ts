import { readFileSync, writeFileSync } from "node:fs";
import { settingsFile } from "./service.ts";

/** Sets values in the settings file as an operator does: replaces the line of a setting, or appends one. */
export function writeSettings(values: Record<string, string>): void {
  let text = readFileSync(settingsFile, "utf8");
  for (const [name, value] of Object.entries(values)) {
    const line = `${name}='${value}'`;
    const there = new RegExp(`^${name}=.*$`, "m");
    text = there.test(text) ? text.replace(there, () => line) : `${text.trimEnd()}\n${line}\n`;
  }
  writeFileSync(settingsFile, text);
}

/** Removes settings from the file. */
export function removeSettings(...names: string[]): void {
  const text = readFileSync(settingsFile, "utf8");
  const kept = text.split("\n").filter((line) => !names.some((name) => line.startsWith(`${name}=`)));
  writeFileSync(settingsFile, kept.join("\n"));
}

/** The value of a setting in the file; empty if it is not set. */
export function readSetting(name: string): string {
  const [, value = ""] =
    new RegExp(`^${name}='?([^'\n]*)'?$`, "m").exec(readFileSync(settingsFile, "utf8")) ?? [];
  return value;
}
