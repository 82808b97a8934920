/**
 * The remark that a transfer carries at the bank: the trade's code and which of its payouts and refunds this is, void ones counted,
 * so that no two transfers of one trade can be taken for each other. `ids` are those of all its records.
 */
export function transferRemark(code: string, ids: readonly number[], id: number): string {
  const place = [...ids].sort((a, b) => a - b).indexOf(id) + 1;
  return `${code}-${place}`;
}
