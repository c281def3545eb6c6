import { useEffect, useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { CLASS_QUERIES } from "./affected-queries.ts"

export type Student = RecordOf<"/api/class/enrolled-students">
type Status = Student["status"]

export const ATTENDANCE_STATUSES: readonly Status[] = ["Registered", "Attended", "No Show", "Cancelled"]

export const attendanceLabel = (status: Status) => t(`classes:status.${status.toLowerCase().replace(" ", "-")}`)

/** Changes the attendance of a learner. Optimistic: reverted if the request fails. */
export function AttendanceSelect({ classId, student }: { classId: number; student: Student }) {
  const { id, status, first_name, last_name } = student
  const [value, setValue] = useState(status)
  const [error, setError] = useState<unknown>()
  useEffect(() => setValue(status), [status])
  const update = useChange({
    call: (next: Status) =>
      api.GET("/api/class/update-class-status", { params: { query: { id, classId, status: next } } }),
    invalidates: CLASS_QUERIES,
  })
  const select = async (next: Status) => {
    setValue(next)
    setError(undefined)
    try {
      await update.mutateAsync(next)
    } catch (failure) {
      setValue(status)
      setError(failure)
    }
  }
  return (
    <>
      <select
        aria-label={t("classes:status.of", { name: `${first_name} ${last_name}` })}
        value={value}
        onChange={(event) => {
          const next = ATTENDANCE_STATUSES.find((candidate) => candidate === event.currentTarget.value)
          if (next) select(next)
        }}
      >
        {ATTENDANCE_STATUSES.map((option) => (
          <option key={option} value={option}>
            {attendanceLabel(option)}
          </option>
        ))}
      </select>
      <ErrorMessage error={error} />
    </>
  )
}
