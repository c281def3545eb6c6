import type { ComponentChildren } from "preact"
import { number } from "../messages/messages.ts"

interface TileProps {
  /** The path within the console. */
  href: string
  label: string
  value: number
  /** Colors the number, unless it is 0. */
  status?: string
  isCurrent?: boolean
  /** More about the number, such as its trend. */
  children?: ComponentChildren
}

/** A number with a link to its list. */
export const Tile = ({ href, label, value, status, isCurrent = false, children }: TileProps) => (
  <li>
    <a
      class={status && value > 0 ? `tile ${status}` : "tile"}
      href={`/console${href}`}
      aria-current={isCurrent ? "true" : undefined}
    >
      <span>{label}</span>
      <strong>{number(value)}</strong>
      {children}
    </a>
  </li>
)
