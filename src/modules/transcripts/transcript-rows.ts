import { asc, eq, sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { dueDateChanges, enrollmentCycles, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { settings } from "../../../drizzle/schema/settings.ts"
import { transcripts } from "../../../drizzle/schema/transcripts.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { userSiteName } from "../../access/accounts.ts"
import { canSeeUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import { type RowOf, selectFrom } from "../../db/select.ts"
import { actorName } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"

// The rows of a transcript, read in one round trip.

const PERSON = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  site: userSiteName(users.id),
  zone: sql<string | null>`coalesce(${users.timeZone}, (select ${settings.timeZone} from ${settings}))`.as("zone"),
}

const ENROLLMENT = {
  id: enrollments.id,
  courseId: enrollments.courseId,
  courseName: courses.name,
  cycle: enrollments.cycle,
  status: enrollments.status,
  percent: enrollments.percent,
  pointsAwarded: enrollments.pointsAwarded,
  pointsPossible: enrollments.pointsPossible,
  registeredAt: enrollments.registeredAt,
  startedAt: enrollments.startedAt,
  completedAt: enrollments.completedAt,
  dueAt: enrollments.dueAt,
  dueStatus: enrollments.dueStatus,
}
export type EnrollmentRow = RowOf<typeof ENROLLMENT>
export type CycleRow = typeof enrollmentCycles.$inferSelect

const CHANGE = {
  courseId: dueDateChanges.courseId,
  cycle: dueDateChanges.cycle,
  kind: dueDateChanges.kind,
  until: dueDateChanges.until,
  previousDueAt: dueDateChanges.previousDueAt,
  reason: dueDateChanges.reason,
  createdAt: dueDateChanges.createdAt,
  endedAt: dueDateChanges.endedAt,
  byName: actorName(dueDateChanges.createdBy).as("by_name"),
}
export type ChangeRow = RowOf<typeof CHANGE>

export type PersonRow = RowOf<typeof PERSON>

export interface TranscriptRows {
  enrollments: EnrollmentRow[]
  cycles: CycleRow[]
  changes: ChangeRow[]
  certificates: (typeof certificates.$inferSelect)[]
}

export type IssuedRow = Pick<typeof transcripts.$inferSelect, "id" | "code" | "issuedAt" | "digest">

/** Selects the person, their enrollments, cycles, exemptions, extensions, certificates and issued transcripts. */
export const selectTranscript = (db: Database, caller: Caller, userId: number) =>
  [
    selectFrom(db, PERSON, sql`from ${users} where ${users.id} = ${userId} and ${canSeeUser(caller, users.id)}`),
    selectFrom(
      db,
      ENROLLMENT,
      sql`from ${enrollments} cross join ${courses} on ${courses.id} = ${enrollments.courseId}
        where ${enrollments.userId} = ${userId} order by ${enrollments.registeredAt} desc, ${enrollments.id} desc`,
    ),
    db
      .select()
      .from(enrollmentCycles)
      .where(eq(enrollmentCycles.userId, userId))
      .orderBy(asc(enrollmentCycles.courseId), asc(enrollmentCycles.cycle)),
    selectFrom(
      db,
      CHANGE,
      sql`from ${dueDateChanges} where ${dueDateChanges.userId} = ${userId} order by ${dueDateChanges.id}`,
    ),
    db.select().from(certificates).where(eq(certificates.userId, userId)).orderBy(asc(certificates.issuedAt)),
    db
      .select({
        id: transcripts.id,
        code: transcripts.code,
        issuedAt: transcripts.issuedAt,
        digest: transcripts.digest,
      })
      .from(transcripts)
      .where(eq(transcripts.userId, userId))
      .orderBy(asc(transcripts.issuedAt), asc(transcripts.id)),
  ] as const
