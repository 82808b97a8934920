interface ColumnHeadProps<Column extends string> {
  columns: readonly Column[];
  /** Columns of amounts are aligned right. */
  sums: readonly Column[];
  label(column: Column): string;
}

/** The head of a list whose rows are cards on a phone: there it is read to screen readers but not visible. */
export function ColumnHead<Column extends string>({ columns, sums, label }: ColumnHeadProps<Column>) {
  return (
    <thead className="max-lg:sr-only">
      <tr className="border-b border-line text-sm text-quiet">
        {columns.map((column) => (
          <th
            key={column}
            scope="col"
            className={`px-2 py-2 font-semibold ${sums.includes(column) ? "text-right" : "text-left"}`}
          >
            {label(column)}
          </th>
        ))}
      </tr>
    </thead>
  );
}
