import { TextLink } from "../../../ui/forms/button.tsx";

interface ListPagesProps {
  /** The link to the first page, null on the first page; and the link to the next page, null on the last. */
  newest: { to: string; label: string } | null;
  older: { to: string; label: string } | null;
}

/** Links between the pages of a list. */
export function ListPages({ newest, older }: ListPagesProps) {
  if (newest === null && older === null) return null;
  return (
    <p className="flex flex-wrap gap-x-6">
      {newest && <TextLink to={newest.to}>{newest.label}</TextLink>}
      {older && <TextLink to={older.to}>{older.label}</TextLink>}
    </p>
  );
}
