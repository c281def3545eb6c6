/** Series of a figure are told apart by more than their color: bars by their pattern, lines by dashes and symbols. */
export const DASHES = ["none", "7 4", "2 4", "10 3 2 3", "4 2", "12 5"]
export const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross"] as const

/** The strokes of each pattern, in a square of 8; the first series is plain. */
const PATTERNS = ["", "M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6", "M4 3 V5 M3 4 H5", "M0 4 H8", "M4 0 V8", "M0 0 L8 8"]

/** What the bars of the nth series are filled with. */
export const paintOf = (id: string, nth: number) => (nth === 0 ? "var(--series-1)" : `url(#${id}-pattern-${nth + 1})`)

/** The patterns of a figure's series: to be there once, before they are used. */
export const Patterns = ({ id, count }: { id: string; count: number }) => (
  <svg class="unseen" aria-hidden="true">
    <defs>
      {PATTERNS.slice(1, count).map((strokes, at) => (
        <pattern key={strokes} id={`${id}-pattern-${at + 2}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect width="8" height="8" fill={`var(--series-${at + 2})`} />
          <path d={strokes} stroke="var(--surface)" stroke-width="1.6" />
        </pattern>
      ))}
    </defs>
  </svg>
)

/** How the nth series looks, for the legend. */
export const Swatch = ({ id, nth, isLine }: { id: string; nth: number; isLine: boolean }) => (
  <svg class="swatch" aria-hidden="true" viewBox="0 0 32 16" width="32" height="16">
    {isLine ? (
      <line
        x1="0"
        x2="32"
        y1="8"
        y2="8"
        stroke={`var(--series-${nth + 1})`}
        stroke-width="2.5"
        stroke-dasharray={DASHES[nth] ?? "none"}
      />
    ) : (
      <rect width="32" height="16" rx="2" fill={paintOf(id, nth)} />
    )}
  </svg>
)
