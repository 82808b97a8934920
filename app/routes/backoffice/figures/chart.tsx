interface ChartProps {
  id: string;
  title: string;
  /** A description of the chart in one sentence. */
  desc: string;
  /** `value` sets the height of the bar, `shown` is its text; `value` is null if there is nothing to measure. */
  points: Array<{ label: string; value: number | null; shown: string }>;
  /** The greatest value, as text. */
  most: string;
}

const [chartWidth, chartHeight, barGap] = [600, 120, 0.2];

/** A bar chart, rendered on the server; the figures themselves are in the table beside it. */
export function Chart({ id, title, desc, points, most }: ChartProps) {
  const top = Math.max(1, ...points.map(({ value }) => value ?? 0));
  const step = chartWidth / Math.max(1, points.length);
  return (
    <figure className="grid gap-1 rounded-control border border-line p-3">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">{title}</span>
        <span className="text-sm text-quiet tabular-nums">{most}</span>
      </figcaption>
      <svg
        role="img"
        aria-labelledby={`${id}-title ${id}-desc`}
        viewBox={`0 0 ${chartWidth} ${chartHeight}`}
        preserveAspectRatio="none"
        className="h-28 w-full"
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-desc`}>{desc}</desc>
        <path d={`M0 .5H${chartWidth}`} className="stroke-line" strokeDasharray="4 4" />
        {points.map(({ label, value, shown }, at) => {
          // A small value is at least two units high, so that it stays visible.
          const tall = value ? Math.max(2, (value / top) * chartHeight) : 0;
          return (
            <rect
              key={label}
              x={(at + barGap / 2) * step}
              y={chartHeight - tall}
              width={step * (1 - barGap)}
              height={tall}
              className="fill-khadag"
            >
              <title>{`${label}: ${shown}`}</title>
            </rect>
          );
        })}
        <path d={`M0 ${chartHeight - 0.5}H${chartWidth}`} className="stroke-edge" />
      </svg>
      <p aria-hidden="true" className="flex justify-between text-sm text-quiet tabular-nums">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </p>
    </figure>
  );
}
