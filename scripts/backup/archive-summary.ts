import type { Manifest } from "#db/backup/manifest";

const numberFormat = new Intl.NumberFormat("en-US");

/** Describes an archive's content in lines for the console. */
export function contentLines({ header, tables, files, ledger, head }: Manifest): string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const sums = Object.entries(ledger.sums).slice(0, 6);
  const { missing } = files;
  return [
    `Taken at ${header.takenAt} by Midman ${header.version}, at migration ${header.migration.tag}.`,
    `${numberFormat.format(rows)} rows of ${tables.length} tables, ${numberFormat.format(files.count)} files (${formatMegabytes(files.bytes)}).`,
    `Ledger: ${sums.map(([name, sum]) => `${name} ${numberFormat.format(sum)} ₮`).join(", ")}.`,
    `Log: head ${head === null ? "none yet" : `${head.block}:${head.head}`}.`,
    ...(missing.length > 0
      ? [
          `Pictures: ${numberFormat.format(missing.length)} were missing when it was made, such as ${missing.slice(0, 3).join(", ")}.`,
        ]
      : []),
  ];
}

/** Bytes in megabytes with one decimal. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Elapsed seconds since `since`, and megabytes per second. */
export function formatPace(bytes: number, since: number): string {
  const seconds = (performance.now() - since) / 1000;
  return `${seconds.toFixed(1)} s, ${(bytes / 1_000_000 / seconds).toFixed(1)} MB/s of rows and files`;
}

/** The size of an archive's content before compression, in bytes. */
export function unpackedBytes({ tables, files }: Manifest): number {
  return tables.reduce((sum, { bytes }) => sum + bytes, files.bytes);
}
