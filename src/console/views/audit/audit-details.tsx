import type { ComponentChildren } from "preact"
import { number, t } from "../../messages/messages.ts"
import { Time } from "../../ui/time.tsx"

/** A field of the API in words: `expiresAt` and `expires_at` are "expires at". */
const words = (field: string) =>
  field
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()

/** Fields which the log keeps as epoch milliseconds; 0 stands for none. */
const isMoment = (field: string) => /(At|_at|_on|On|Until|Since)$/.test(field)

const SHORT = 12

function shown(field: string, value: unknown): ComponentChildren {
  if (value === null || value === undefined || value === "") return t("none")
  if (typeof value === "boolean") return t(value ? "yes" : "no")
  if (typeof value === "number") {
    if (isMoment(field)) return value === 0 ? t("none") : <Time value={value} />
    // Numbers of records have no thousands.
    return /id$/i.test(field) ? String(value) : number(value)
  }
  if (typeof value === "string") return <span dir="auto">{value}</span>
  if (!Array.isArray(value)) return <Fields of={Object.entries(value)} />
  if (value.some((one) => typeof one === "object"))
    return (
      <ul>
        {value.map((one) => (
          <li key={JSON.stringify(one)}>{shown(field, one)}</li>
        ))}
      </ul>
    )
  const all = value.join(", ")
  if (value.length <= SHORT) return all || t("none")
  return (
    <details>
      <summary>{t("audit:audit.values", { count: value.length, shown: number(value.length) })}</summary>
      {all}
    </details>
  )
}

const Fields = ({ of }: { of: readonly [string, unknown][] }) => (
  <dl class="facts">
    {of.map(([field, value]) => (
      <div key={field} class="fact">
        <dt lang="en">{words(field)}</dt>
        <dd>{shown(field, value)}</dd>
      </div>
    ))}
  </dl>
)

/** What a record was set to, as the audit log keeps it: field by field. */
export const Changes = ({ of }: { of: Record<string, unknown> }) => {
  const fields = Object.entries(of)
  if (fields.length === 0) return <>{t("none")}</>
  return <Fields of={fields} />
}
