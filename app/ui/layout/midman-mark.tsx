/**
 * The ulzii, the endless knot: Midman's mark and its sign for held money. One closed line, woven over and under itself; it takes the colour
 * of the text around it.
 */
export function MidmanMark({ className = "size-6" }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      className={`shrink-0 ${className}`}
    >
      <path transform="rotate(45 12 12)" d={knotPath} />
    </svg>
  );
}

/** The line's path on a 24 × 24 square, to be rotated by 45° around its centre. */
export const knotPath =
  "M5.5 7.5H10.25M13.75 7.5H18.5A1.5 1.5 0 0 1 20 9V10.5A1.5 1.5 0 0 1 18.5 12H18.25M14.75 12H9.25M5.75 12H5.5A1.5 1.5 0 0 0 4 13.5V15A1.5 1.5 0 0 0 5.5 16.5H10.25M13.75 16.5H18.5A1.5 1.5 0 0 1 20 18V18.5A1.5 1.5 0 0 1 18.5 20H18A1.5 1.5 0 0 1 16.5 18.5V18.25M16.5 14.75V9.25M16.5 5.75V5.5A1.5 1.5 0 0 0 15 4H13.5A1.5 1.5 0 0 0 12 5.5V10.25M12 13.75V18.5A1.5 1.5 0 0 1 10.5 20H9A1.5 1.5 0 0 1 7.5 18.5V18.25M7.5 14.75V9.25M7.5 5.75V5.5A1.5 1.5 0 0 0 6 4H5.5A1.5 1.5 0 0 0 4 5.5V6A1.5 1.5 0 0 0 5.5 7.5";
