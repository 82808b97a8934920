import { dayInWords, type Language, nearDay } from "#format";

/** Names a day relative to `today` (both `yyyy-MM-dd`): "Today", "Yesterday", otherwise the date in words. */
export function dayName(
  of: string,
  today: string,
  words: { today: string; yesterday: string; language: Language },
): string {
  const near = nearDay(of, today);
  return near === undefined || near === "tomorrow" ? dayInWords(of, words.language) : words[near];
}
