import { useRead } from "../../api/queries.ts"
import { DESIGN_PAGE, type Design, designLabel, designs, placeText } from "./designs.ts"
import "./design-picker.css"

/** The color of an academy that has not set one. */
const DEFAULT_ACCENT = "#1d4ed8"

/** The ready designs, in the color of the academy. */
export function useDesigns(): Design[] {
  const settings = useRead("/api/settings")
  return designs(settings.data?.primaryColor ?? DEFAULT_ACCENT)
}

const FONTS: Record<string, string> = { "Times-Roman": "serif", "Times-Bold": "serif" }

/** What the certificate will look like, without the exact fonts. */
const DesignImage = ({ design }: { design: Design }) => (
  <svg viewBox={`0 0 ${DESIGN_PAGE.width} ${DESIGN_PAGE.height}`} aria-hidden="true" dir="ltr">
    {design.shapes.map(({ box: [x, y, width, height], color, line }) => (
      <rect
        key={`${x} ${y} ${width} ${height}`}
        {...{ x, y, width, height }}
        {...(line ? { fill: "none", stroke: color, "stroke-width": line } : { fill: color })}
      />
    ))}
    {design.texts.map((text) => {
      const { left, width, value } = placeText(text)
      return (
        <text
          key={`${text.top} ${left}`}
          x={text.isStart ? left : left + width / 2}
          y={text.top + text.size}
          font-size={text.size}
          font-family={FONTS[text.font ?? ""] ?? "sans-serif"}
          font-weight={text.font?.endsWith("Bold") ? 700 : 400}
          text-anchor={text.isStart ? "start" : "middle"}
          fill={text.color}
        >
          {value}
        </text>
      )
    })}
    <rect x={design.qr.left} y={design.qr.top} width={design.qr.size} height={design.qr.size} fill="#c3c9d3" />
  </svg>
)

interface DesignPickerProps {
  label: string
  isBusy: boolean
  onPick: (design: Design) => void
}

/** The ready designs as pictures; a click takes one. */
export function DesignPicker({ label, isBusy, onPick }: DesignPickerProps) {
  return (
    <ul class="designs" aria-label={label}>
      {useDesigns().map((design) => (
        <li key={design.name}>
          <button type="button" class="design" disabled={isBusy} onClick={() => onPick(design)}>
            <DesignImage design={design} />
            <span>{designLabel(design)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
