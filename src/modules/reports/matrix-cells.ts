import { ActivityVerb, DueStatus, EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { isoTimeOrNull } from "../../lib/text/dates.ts"

// The cells of the compliance matrix: where a person stands in a course, now or at a past time.

/** A cycle of a course, times in epoch ms. 0: not yet, or no due date */
interface CycleTimes {
  cycle: number
  beganAt: number
  startedAt: number
  completedAt: number
  dueAt: number
  overdueAt: number
}

interface CurrentCycle extends Omit<CycleTimes, "beganAt"> {
  courseId: number
  status: EnrollmentStatus
  dueStatus: DueStatus
  dueSoonAt: number
  registeredAt: number
}

interface PastCycle extends CycleTimes {
  courseId: number
  endedAt: number
}

interface DueDateChange {
  courseId: number
  cycle: number
  kind: "exemption" | "extension"
  until: number
  previousDueAt: number
  createdAt: number
  endedAt: number
}

interface IssuedCertificate {
  id: number
  courseId: number
  issuedAt: number
  expiresAt: number
  revokedAt: number
}

interface Activity {
  courseId: number
  verb: ActivityVerb
  createdAt: number
}

/** What is stored of a person's courses. The last three are read for a past time only. */
export interface PersonHistory {
  enrollments: CurrentCycle[]
  certificates: IssuedCertificate[]
  cycles: PastCycle[]
  changes: DueDateChange[]
  activities: Activity[]
}

/** Where a person stands in a course. */
export interface MatrixCell {
  courseId: number
  status: EnrollmentStatus
  dueStatus: Exclude<DueStatus, "no_due_date"> | null
  /** null: the enrollment was deleted since */
  cycle: number | null
  dueAt: string | null
  completedAt: string | null
  certificateId: number | null
  expiresAt: string | null
}

interface Progress {
  status: EnrollmentStatus
  completedAt: number
}

const shownDueStatus = (status: DueStatus) => (status === DueStatus.NoDueDate ? null : status)

/** The newest certificate of a course that was issued and not revoked at a time. */
function certificateAt(certificates: IssuedCertificate[], courseId: number, at: number) {
  const valid = certificates.filter(
    (row) => row.courseId === courseId && row.issuedAt <= at && (row.revokedAt === 0 || row.revokedAt > at),
  )
  const newest = valid.reduce<IssuedCertificate | undefined>(
    (best, row) => (best && (best.issuedAt > row.issuedAt || best.id > row.id) ? best : row),
    undefined,
  )
  return { certificateId: newest?.id ?? null, expiresAt: isoTimeOrNull(newest?.expiresAt ?? 0) }
}

/** The progress according to the activities until a time; undefined: not enrolled then. */
function progressByActivities(activities: Activity[], at: number): Progress | undefined {
  let progress: Progress | undefined
  for (const { verb, createdAt } of activities) {
    if (createdAt > at) continue
    if (verb === ActivityVerb.Unenrolled) progress = undefined
    else if (verb === ActivityVerb.Completed) progress = { status: EnrollmentStatus.Completed, completedAt: createdAt }
    else if (verb === ActivityVerb.Started) progress = { status: EnrollmentStatus.InProgress, completedAt: 0 }
    else progress = { status: EnrollmentStatus.NotStarted, completedAt: 0 }
  }
  return progress
}

const progressByTimes = ({ startedAt, completedAt }: CycleTimes, at: number): Progress =>
  completedAt > 0 && completedAt <= at
    ? { status: EnrollmentStatus.Completed, completedAt }
    : {
        status: startedAt > 0 && startedAt <= at ? EnrollmentStatus.InProgress : EnrollmentStatus.NotStarted,
        completedAt: 0,
      }

const isExemptAt = (changes: DueDateChange[], at: number): boolean =>
  changes.some(
    ({ kind, createdAt, until, endedAt }) =>
      kind === "exemption" && createdAt <= at && (until === 0 || until > at) && (endedAt === 0 || endedAt > at),
  )

/** The due date and due status of a cycle at a time. Extensions after that time are undone. */
function dueAtTime(
  { dueAt, overdueAt, dueSoonAt = dueAt }: CycleTimes & { dueSoonAt?: number },
  changes: DueDateChange[],
  { status, completedAt }: Progress,
  at: number,
) {
  const later = changes
    .filter(({ kind, createdAt }) => kind === "extension" && createdAt > at)
    .reduce<DueDateChange | undefined>(
      (first, row) => (first && first.createdAt <= row.createdAt ? first : row),
      undefined,
    )
  const due = later?.previousDueAt ?? dueAt
  if (due === 0) return { dueAt: null, dueStatus: null }
  const moved = due - dueAt
  const isLate = completedAt > overdueAt + moved && !isExemptAt(changes, completedAt)
  const open = isExemptAt(changes, at)
    ? DueStatus.Exempt
    : at > overdueAt + moved
      ? DueStatus.Overdue
      : at >= dueSoonAt + moved
        ? DueStatus.DueSoon
        : DueStatus.OnTrack
  const ended = isLate ? DueStatus.CompletedLate : DueStatus.Completed
  return { dueAt: isoTimeOrNull(due), dueStatus: status === EnrollmentStatus.Completed ? ended : open }
}

/** Where a person stands in a course now; null: not enrolled. */
function cellNow({ enrollments, certificates }: PersonHistory, courseId: number, at: number): MatrixCell | null {
  const row = enrollments.find((enrollment) => enrollment.courseId === courseId)
  if (!row) return null
  return {
    courseId,
    status: row.status,
    dueStatus: shownDueStatus(row.dueStatus),
    cycle: row.cycle,
    dueAt: isoTimeOrNull(row.dueAt),
    completedAt: isoTimeOrNull(row.completedAt),
    ...certificateAt(certificates, courseId, at),
  }
}

/** Where a person stood in a course at a past time; null: not enrolled. */
function cellAt(history: PersonHistory, courseId: number, at: number): MatrixCell | null {
  const ofCourse = <T extends { courseId: number }>(rows: T[]) => rows.filter((row) => row.courseId === courseId)
  const cycles = ofCourse(history.cycles)
  const activities = ofCourse(history.activities)
  const past = cycles.find(({ beganAt, endedAt }) => beganAt <= at && at < endedAt)
  const [enrollment] = ofCourse(history.enrollments)
  const beganAt = Math.max(enrollment?.registeredAt ?? 0, ...cycles.map(({ endedAt }) => endedAt))
  const current = enrollment && beganAt <= at ? { ...enrollment, beganAt } : undefined
  const state = past ?? current
  const certificate = certificateAt(history.certificates, courseId, at)
  if (!state) {
    const progress = progressByActivities(activities, at)
    if (!progress) return null
    const { status, completedAt } = progress
    return {
      ...{ courseId, status, dueStatus: null, cycle: null, dueAt: null },
      completedAt: isoTimeOrNull(completedAt),
      ...certificate,
    }
  }
  const wasReset = !past && activities.some(({ verb, createdAt }) => verb === ActivityVerb.Reset && createdAt > at)
  const progress = (wasReset ? progressByActivities(activities, at) : undefined) ?? progressByTimes(state, at)
  const changes = ofCourse(history.changes).filter(({ cycle }) => cycle === state.cycle)
  return {
    courseId,
    status: progress.status,
    cycle: state.cycle,
    ...dueAtTime(state, changes, progress, at),
    completedAt: isoTimeOrNull(progress.completedAt),
    ...certificate,
  }
}

/**
 * The cells of a person in the order of the courses.
 * @param asOf the past time; undefined: now, by the statuses that are stored
 */
export const cellsOf = (history: PersonHistory, courseIds: number[], asOf: number | undefined, at: number) =>
  courseIds.map((courseId) =>
    asOf === undefined ? cellNow(history, courseId, at) : cellAt(history, courseId, Math.min(asOf, at)),
  )
