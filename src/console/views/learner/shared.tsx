import "./learner.css"
import { number, t } from "../../messages/messages.ts"
import { forgetChanges } from "../../ui/unsaved-changes.ts"

const STATES: Record<string, string> = {
  "Not Started": "status.not-started",
  "In Progress": "status.in-progress",
  Completed: "status.completed",
  Submitted: "learner:status.submitted",
  Accepted: "learner:status.accepted",
  Returned: "learner:status.returned",
  Closed: "learner:status.closed",
  Registered: "learner:status.registered",
  Attended: "learner:status.attended",
  "No Show": "learner:status.no-show",
  Cancelled: "learner:status.canceled",
}

/** A state of the API, as the language calls it. */
export const stateName = (state: string) => (STATES[state] ? t(STATES[state]) : state)

export const State = ({ of }: { of: string }) => <span class="badge">{stateName(of)}</span>

/** The states by which registrations are searched. */
export const registrationStates = () =>
  ["Not Started", "In Progress", "Completed"].map((value) => ({ value, label: stateName(value) }))

const MINUTE = 60

/** Seconds in words: whole minutes from one on. */
export const duration = (seconds: number) =>
  seconds < MINUTE
    ? number(seconds, { style: "unit", unit: "second", unitDisplay: "long" })
    : number(Math.floor(seconds / MINUTE), { style: "unit", unit: "minute", unitDisplay: "long" })

/** The address of a course of one's own. */
export const courseAddress = (courseId: number, registrationId: number, moduleId?: number) =>
  `/console/learning/${courseId}/${registrationId}${moduleId === undefined ? "" : `?module=${moduleId}`}`

/** All that tells of how far a learner is: to be read anew after each step. */
export const PROGRESS = [
  "/api/course/modules",
  "/api/users/enrolled-courses",
  "/api/user/dashboard/statistics",
  "/api/user-certificates/{id}",
] as const

/** The session has ended by what was done: back here by the sign-in page. */
export const signInAnew = () => {
  forgetChanges()
  location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)
}
