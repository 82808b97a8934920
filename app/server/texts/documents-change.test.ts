import { afterEach, expect, test } from "bun:test";
import { type Config, config, overrideConfig, readConfig } from "#config";
import { formatLongDay } from "#format";
import { announcedChange } from "./documents-change.ts";

process.env.ALLOW_SANDBOX = "true";
const before = config();
afterEach(() => overrideConfig({ ...before, DOCUMENTS_CHANGE_ON: undefined } as Config));

test("a change of the documents is announced until its day begins in Ulaanbaatar", () => {
  const dayBefore = new Date("2027-01-14T15:59:59Z");
  expect(announcedChange(dayBefore, "en")).toBeNull();
  overrideConfig({ DOCUMENTS_CHANGE_ON: "2027-01-15" });
  expect(announcedChange(dayBefore, "en")).toBe("15\u00a0January\u00a02027");
  expect(announcedChange(dayBefore, "mn")).toBe(formatLongDay("2027-01-15", "mn"));
  expect(announcedChange(new Date("2027-01-14T16:00:00Z"), "en")).toBeNull();
});

test("the setting is a date", () => {
  const read = (day: string) => readConfig({ ALLOW_SANDBOX: "true", DOCUMENTS_CHANGE_ON: day });
  expect(read("2027-01-15").ok).toBe(true);
  for (const day of ["soon", "15.01.2027", "2027-02-30"])
    expect(read(day)).toEqual({
      ok: false,
      lines: ["DOCUMENTS_CHANGE_ON: must be a date, such as 2027-01-15"],
    });
});
