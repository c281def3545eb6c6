import { useId } from "preact/hooks"
import type { Options } from "./form.tsx"
import { useUrlState } from "./url-state.ts"

interface UrlSelectProps {
  /** The parameter in the URL. */
  name: string
  label: string
  value: string
  options: Options
}

/** Selects which list a view shows. The URL then has only the selection: filters and pages belong to one list. */
export function UrlSelect({ name, label, value, options }: UrlSelectProps) {
  const id = useId()
  const { query, change } = useUrlState()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        onChange={({ currentTarget }) =>
          change({
            ...Object.fromEntries(Object.keys(query).map((key) => [key, undefined])),
            [name]: currentTarget.value,
          })
        }
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
