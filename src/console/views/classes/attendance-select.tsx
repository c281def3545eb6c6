import { useEffect, useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Problem } from "../../ui/error-message.tsx"
import { CLASSES } from "./affected-queries.ts"

export type Student = RecordOf<"/api/class/enrolled-students">
type Status = Student["status"]

export const STATUSES: readonly Status[] = ["Registered", "Attended", "No Show", "Cancelled"]

/** The word for a status of a class enrollment. */
export const statusWord = (status: Status) => t(`classes:status.${status.toLowerCase().replace(" ", "-")}`)

/** A learner's status in the class, changed where it stands: at once, and put back where the API refuses it. */
export function Attendance({ classId, student }: { classId: number; student: Student }) {
  const { id, status, first_name, last_name } = student
  const [shown, show] = useState(status)
  const [error, setError] = useState<unknown>()
  useEffect(() => show(status), [status])
  const set = useChange({
    call: (next: Status) =>
      api.GET("/api/class/update-class-status", { params: { query: { id, classId, status: next } } }),
    changes: CLASSES,
  })
  const choose = async (next: Status) => {
    show(next)
    setError(undefined)
    try {
      await set.mutateAsync(next)
    } catch (failure) {
      show(status)
      setError(failure)
    }
  }
  return (
    <>
      <select
        aria-label={t("classes:status.of", { name: `${first_name} ${last_name}` })}
        value={shown}
        onChange={(event) => {
          const next = STATUSES.find((one) => one === event.currentTarget.value)
          if (next) choose(next)
        }}
      >
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {statusWord(one)}
          </option>
        ))}
      </select>
      <Problem error={error} />
    </>
  )
}
