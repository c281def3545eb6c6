/** Distinguishes series without color: bars by patterns, lines by dashes and symbols. */
export const DASHES = ["none", "7 4", "2 4", "10 3 2 3", "4 2", "12 5"]

/** SVG path of each pattern in an 8 × 8 tile; the first series is solid. */
const PATTERNS = ["", "M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6", "M4 3 V5 M3 4 H5", "M0 4 H8", "M4 0 V8", "M0 0 L8 8"]

/** Fill of the bars of a series. */
export const fillOf = (id: string, index: number) =>
  index === 0 ? "var(--series-1)" : `url(#${id}-pattern-${index + 1})`

/** SVG definitions of the patterns; rendered once per chart. */
export const ChartPatterns = ({ id, count }: { id: string; count: number }) => (
  <svg class="unseen" aria-hidden="true">
    <defs>
      {PATTERNS.slice(1, count).map((strokes, index) => (
        <pattern key={strokes} id={`${id}-pattern-${index + 2}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect width="8" height="8" fill={`var(--series-${index + 2})`} />
          <path d={strokes} stroke="var(--surface)" stroke-width="1.6" />
        </pattern>
      ))}
    </defs>
  </svg>
)

/** The legend symbol of a series. */
export const LegendSwatch = ({ id, index, isLine }: { id: string; index: number; isLine: boolean }) => (
  <svg class="swatch" aria-hidden="true" viewBox="0 0 32 16" width="32" height="16">
    {isLine ? (
      <line
        x1="0"
        x2="32"
        y1="8"
        y2="8"
        stroke={`var(--series-${index + 1})`}
        stroke-width="2.5"
        stroke-dasharray={DASHES[index] ?? "none"}
      />
    ) : (
      <rect width="32" height="16" rx="2" fill={fillOf(id, index)} />
    )}
  </svg>
)
