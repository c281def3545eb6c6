import type { ComponentChildren } from "preact"
import { number, t } from "../../messages/messages.ts"
import { Time } from "../../ui/time.tsx"

/** `expiresAt` and `expires_at` become "expires at". */
const humanize = (field: string) =>
  field
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()

/** Whether the log stores the field as epoch milliseconds, where 0 means none. */
const isTimestamp = (field: string) => /(At|_at|_on|On|Until|Since)$/.test(field)

const MAX_INLINE_VALUES = 12

function renderValue(field: string, value: unknown): ComponentChildren {
  if (value === null || value === undefined || value === "") return t("none")
  if (typeof value === "boolean") return t(value ? "yes" : "no")
  if (typeof value === "number") {
    if (isTimestamp(field)) return value === 0 ? t("none") : <Time value={value} />
    // Ids have no thousands separators.
    return /id$/i.test(field) ? String(value) : number(value)
  }
  if (typeof value === "string") return <span dir="auto">{value}</span>
  if (!Array.isArray(value)) return <Fields entries={Object.entries(value)} />
  if (value.some((item) => typeof item === "object"))
    return (
      <ul>
        {value.map((item) => (
          <li key={JSON.stringify(item)}>{renderValue(field, item)}</li>
        ))}
      </ul>
    )
  const text = value.join(", ")
  if (value.length <= MAX_INLINE_VALUES) return text || t("none")
  return (
    <details>
      <summary>{t("audit:audit.values", { count: value.length, shown: number(value.length) })}</summary>
      {text}
    </details>
  )
}

const Fields = ({ entries }: { entries: readonly [string, unknown][] }) => (
  <dl class="facts">
    {entries.map(([field, value]) => (
      <div key={field} class="fact">
        <dt lang="en">{humanize(field)}</dt>
        <dd>{renderValue(field, value)}</dd>
      </div>
    ))}
  </dl>
)

/** The new values of an audit log entry. */
export const AuditDetails = ({ details }: { details: Record<string, unknown> }) => {
  const fields = Object.entries(details)
  if (fields.length === 0) return <>{t("none")}</>
  return <Fields entries={fields} />
}
