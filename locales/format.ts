import { TZDate } from "@date-fns/tz";
import { format } from "date-fns";

const zone = "Asia/Ulaanbaatar";

/** Tugrik as people write it: `1,234,567 ₮`. `Intl` in mn-MN would print decimals and put the sign first. */
export function money(amount: number): string {
  return `${amount.toLocaleString("en-US", { maximumFractionDigits: 0 })} ₮`;
}

/** A moment in Mongolian time, `yyyy-MM-dd HH:mm`. */
export function moment(at: Date | string): string {
  return format(new TZDate(new Date(at), zone), "yyyy-MM-dd HH:mm");
}

/** A day in Mongolian time, `yyyy-MM-dd`. */
export function day(at: Date | string): string {
  return format(new TZDate(new Date(at), zone), "yyyy-MM-dd");
}
