import type { Seat } from "../../islands/room/types.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { FactList } from "../../ui/layout/fact-list.tsx";
import { DisclosureRow } from "../../ui/rows/disclosure-row.tsx";

/** Who buys and who sells, as a row with the other person's name. */
export function PeopleRow({ seats, me }: { seats: Seat[]; me: number }) {
  const t = useT();
  const other = seats.find(({ id }) => id !== me);
  const rows = seats.map(({ role, displayName }) => ({ label: t(`roles.${role}`), value: displayName }));
  return (
    <DisclosureRow id="people" label={t("trade.row.people")} value={other?.displayName}>
      <FactList rows={rows} />
    </DisclosureRow>
  );
}
