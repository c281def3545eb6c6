import { useId } from "preact/hooks"
import { percent } from "../messages/messages.ts"

/** @param value from 0 to 100 */
export const Progress = ({ label, value }: { label: string; value: number }) => {
  const id = useId()
  return (
    <div class="progress">
      <label for={id}>{label}</label>
      <progress id={id} max={100} value={value}>
        {percent(value / 100)}
      </progress>
      <span aria-hidden="true">{percent(value / 100)}</span>
    </div>
  )
}
