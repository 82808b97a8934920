import { TextLink } from "../../../ui/forms/button.tsx";

interface ListPagesProps {
  /** Where its beginning is, when this is not it; and where it goes on, unless it ends here. */
  newest: { to: string; label: string } | null;
  older: { to: string; label: string } | null;
}

/** The way through a list that is longer than its page. */
export function ListPages({ newest, older }: ListPagesProps) {
  if (newest === null && older === null) return null;
  return (
    <p className="flex flex-wrap gap-x-6">
      {newest && <TextLink to={newest.to}>{newest.label}</TextLink>}
      {older && <TextLink to={older.to}>{older.label}</TextLink>}
    </p>
  );
}
