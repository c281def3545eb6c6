import { DueStatus } from "../../../drizzle/statuses.ts"
import { isoTime, isoTimeOrNull } from "../../lib/text/dates.ts"
import type { ChangeRow, CycleRow, EnrollmentRow, TranscriptRows } from "./transcript-rows.ts"
import type { Transcript } from "./transcripts.schemas.ts"

// What a transcript says, made from the rows of the database.

type CertificateRow = TranscriptRows["certificates"][number]
type Course = Transcript["courses"][number]
type Cycle = Course["cycles"][number]

const toCertificate = ({ id, code, courseName, issuedAt, expiresAt, revokedAt }: CertificateRow) => ({
  id,
  code,
  courseName,
  issuedAt: isoTime(issuedAt),
  expiresAt: isoTimeOrNull(expiresAt),
  revokedAt: isoTimeOrNull(revokedAt),
})

const toPercent = ({ pointsAwarded, pointsPossible }: { pointsAwarded: number; pointsPossible: number }) =>
  pointsPossible > 0 ? Math.floor((100 * pointsAwarded) / pointsPossible) : null

function toChanges(rows: ChangeRow[]): Pick<Cycle, "exemptions" | "extensions"> {
  const shared = (row: ChangeRow) => ({
    reason: row.reason,
    by: row.byName,
    at: isoTime(row.createdAt),
  })
  const of = (kind: ChangeRow["kind"]) => rows.filter((row) => row.kind === kind)
  return {
    exemptions: of("exemption").map((row) => ({
      ...shared(row),
      until: isoTimeOrNull(row.until),
      endedAt: isoTimeOrNull(row.endedAt),
    })),
    extensions: of("extension").map((row) => ({
      ...shared(row),
      dueAt: isoTime(row.until),
      previousDueAt: isoTimeOrNull(row.previousDueAt),
    })),
  }
}

const toResult = (row: CycleRow | EnrollmentRow) => ({
  cycle: row.cycle,
  status: row.status,
  percentComplete: row.percent,
  percentAchieved: toPercent(row),
  startedAt: isoTimeOrNull(row.startedAt),
  completedAt: isoTimeOrNull(row.completedAt),
  dueAt: isoTimeOrNull(row.dueAt),
  dueStatus: row.dueStatus === DueStatus.NoDueDate ? null : row.dueStatus,
})

/** The courses of a person with all their cycles, the latest first, and the certificates that belong to no cycle. */
export function toTranscript({ enrollments, cycles, changes, certificates }: TranscriptRows) {
  const changesOf = (courseId: number, cycle: number) =>
    toChanges(changes.filter((row) => row.courseId === courseId && row.cycle === cycle))
  const used = new Set(cycles.flatMap(({ certificateId }) => certificateId ?? []))
  const certificateOf = (id: number | null | undefined) => {
    const found = certificates.find((row) => row.id === id)
    if (found) used.add(found.id)
    return found ? toCertificate(found) : null
  }
  /** The newest certificate of the enrollment that was issued after those of its earlier cycles. */
  const currentCertificate = (enrollmentId: number, past: Cycle[]) => {
    const last = Math.max(0, ...past.map((cycle) => cycle.certificate?.id ?? 0))
    return certificates.findLast((row) => row.enrollmentId === enrollmentId && row.revokedAt === 0 && row.id > last)?.id
  }

  const pastOf = (courseId: number): Cycle[] =>
    cycles
      .filter((row) => row.courseId === courseId)
      .map((row) => ({
        ...toResult(row),
        isCurrent: false,
        beganAt: isoTime(row.beganAt),
        endedAt: isoTime(row.endedAt),
        certificate: certificateOf(row.certificateId),
        ...changesOf(courseId, row.cycle),
      }))
  const byCourse = new Map<number, Course>()
  for (const row of enrollments) {
    const past = pastOf(row.courseId)
    const current: Cycle = {
      ...toResult(row),
      isCurrent: true,
      // Someone who was unenrolled began when they were enrolled again.
      beganAt: isoTime(Math.max(row.registeredAt, Date.parse(past.at(-1)?.endedAt ?? "") || 0)),
      endedAt: null,
      certificate: certificateOf(currentCertificate(row.id, past)),
      ...changesOf(row.courseId, row.cycle),
    }
    byCourse.set(row.courseId, {
      courseId: row.courseId,
      courseName: row.courseName,
      cycles: [current, ...past.toReversed()],
    })
  }
  // Courses whose enrollment ended.
  for (const { courseId, courseName } of cycles.toReversed())
    if (!byCourse.has(courseId)) byCourse.set(courseId, { courseId, courseName, cycles: pastOf(courseId).toReversed() })
  return {
    courses: [...byCourse.values()],
    otherCertificates: certificates.filter(({ id }) => !used.has(id)).map(toCertificate),
  }
}
