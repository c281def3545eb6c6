import { useRef, useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { CLASS_QUERIES } from "../classes/affected-queries.ts"
import { type Attendee, MARKS, type Mark, markLabel, nameOf } from "./attendance-marks.tsx"

interface RosterProps {
  sessionId: number
  /** The position of the session in the attendance of each learner. */
  index: number
  attendees: readonly Attendee[]
}

type Changes = readonly { registrationId: number; attendance: Mark | null }[]

/** Records the attendance in one session: a row of buttons for each learner. */
export function Roster({ sessionId, index, attendees }: RosterProps) {
  // Shown until all marks are saved and the list is read again.
  const [pending, setPending] = useState<ReadonlyMap<number, Mark | null>>(new Map())
  const [error, setError] = useState<unknown>()
  const inFlight = useRef(0)
  const save = useChange({
    call: (marks: Changes) => api.POST("/api/class/attendance", { body: { sessionId, marks: [...marks] } }),
    invalidates: CLASS_QUERIES,
    successMessage: ({ changed }) => t("teaching:attendance.saved", { count: changed, shown: number(changed) }),
  })
  const mark = async (changes: Changes) => {
    const marks = changes.map(({ registrationId, attendance }) => [registrationId, attendance] as const)
    inFlight.current++
    setError(undefined)
    setPending((current) => new Map([...current, ...marks]))
    try {
      await save.mutateAsync(changes)
    } catch (failure) {
      setError(failure)
      const failed = new Set(changes.map(({ registrationId }) => registrationId))
      setPending((current) => new Map([...current].filter(([id]) => !failed.has(id))))
    }
    inFlight.current--
    if (inFlight.current === 0) setPending(new Map())
  }
  const markOf = ({ id, attendance }: Attendee) => (pending.has(id) ? pending.get(id) : attendance[index]) ?? null
  const unmarked = attendees.filter((attendee) => markOf(attendee) === null)
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={unmarked.length === 0 || save.isPending}
          onClick={() => mark(unmarked.map(({ id }) => ({ registrationId: id, attendance: "present" })))}
        >
          {unmarked.length === attendees.length ? t("teaching:mark.all-present") : t("teaching:mark.rest-present")}
        </button>
        <span class="quiet" role="status">
          {t("teaching:attendance.recorded", {
            shown: number(attendees.length - unmarked.length),
            of: number(attendees.length),
          })}
        </span>
      </div>
      <ErrorMessage error={error} />
      <ul class="roster">
        {attendees.map((attendee) => {
          const current = markOf(attendee)
          return (
            <li key={attendee.id}>
              <a href={`/console/users/${attendee.user_id}`}>{nameOf(attendee)}</a>
              <fieldset class="segments">
                <legend class="unseen">{nameOf(attendee)}</legend>
                {MARKS.map((option) => (
                  <button
                    key={option}
                    type="button"
                    class={option}
                    aria-pressed={current === option}
                    onClick={() =>
                      mark([{ registrationId: attendee.id, attendance: current === option ? null : option }])
                    }
                  >
                    {markLabel(option)}
                  </button>
                ))}
              </fieldset>
            </li>
          )
        })}
      </ul>
    </>
  )
}
