import { type AnyColumn, eq, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { ATTEMPT_STATUSES, quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import { enrollmentsOfUsers } from "../../access/audience.ts"
import { canSeeUser } from "../../access/scope.ts"
import type { Database } from "../../db/client.ts"
import type { Filter } from "../../db/list/listing.ts"
import type { Caller } from "../../lib/caller.ts"
import { concatSheets, type Sheet, sheet, sheetOfMany } from "../../lib/spreadsheet/sheet.ts"
import type { Cell } from "../../lib/spreadsheet/workbook.ts"
import { fullName } from "../../lib/text/words.ts"
import { storedEnrollmentCount } from "../enrollments/enrollment-lists.queries.ts"
import { enrolledCourseName, LEARNER } from "../enrollments/registration-columns.ts"
import { quizSheetColumns } from "./quiz-attempt-columns.ts"
import { attemptFilters, type QuizSelection, quizCounterAudience, toQuizSelection } from "./quiz-filters.ts"
import type { QuizFilters } from "./quiz-reports.schemas.ts"

/**
 * Exports the rows of the report: attempts by id, then quizzes without an attempt by enrollment, if requested. Time
 * taken is in seconds.
 */
export async function openQuizSheet(db: Database, caller: Caller, filters: QuizFilters): Promise<Sheet> {
  const selection = toQuizSelection(caller, filters)
  const { userId, statuses } = selection
  const isRequested = (status: EnrollmentStatus) =>
    statuses.length > 0 ? statuses.includes(status) : status !== EnrollmentStatus.NotStarted || userId !== undefined
  if (!isRequested(EnrollmentStatus.NotStarted)) return openAttempts(db, caller, selection)
  const untried = openUntried(db, caller, selection)
  return ATTEMPT_STATUSES.some(isRequested) ? concatSheets(openAttempts(db, caller, selection), untried) : untried
}

/** The caller may have lost access to a learner since the export was requested. */
const accessFilter = (caller: Caller, { userId }: QuizSelection, column: AnyColumn): Filter[] =>
  userId === undefined ? [] : [{ test: canSeeUser(caller, column) }]

function openAttempts(db: Database, caller: Caller, selection: QuizSelection): Sheet {
  const { scope, search } = attemptFilters(selection)
  return sheet(db, {
    headers: quizSheetColumns.names,
    iterator: {
      table: quizAttempts,
      key: quizAttempts.id,
      fields: quizSheetColumns.fields,
      filters: [...search, ...scope, ...accessFilter(caller, selection, quizAttempts.userId)],
    },
    toCells: quizSheetColumns.toCells,
  })
}

/** The enrollment's quizzes without an attempt, as a JSON array of id, name and points. */
const untriedQuizzes = sql<string>`(
  select json_group_array(json_array(${modules.id}, ${modules.name}, ${modules.totalPoints}))
  from ${courseModules} join ${modules} on ${modules.id} = ${courseModules.moduleId} and ${modules.type} = 'quiz'
  where ${courseModules.courseId} = ${enrollments.courseId} and not exists (
    select 1 from ${quizAttempts}
    where ${quizAttempts.enrollmentId} = ${enrollments.id} and ${quizAttempts.moduleId} = ${modules.id}
  )
)`

const testOnly = ({ test }: Filter): Filter => ({ test })

function openUntried(db: Database, caller: Caller, selection: QuizSelection): Sheet {
  const { userId, within, searched, courseId } = selection
  const key = searched.length === 0 ? quizCounterAudience(caller, selection) : undefined
  const userFilters = [...searched, ...within].map((some) => enrollmentsOfUsers(some))
  return sheetOfMany(db, {
    headers: quizSheetColumns.names,
    iterator: {
      table: enrollments,
      key: enrollments.id,
      fields: {
        userId: enrollments.userId,
        courseId: enrollments.courseId,
        learner: LEARNER.as("learner_json"),
        course: enrolledCourseName.as("course_name"),
        quizzes: untriedQuizzes.as("untried_quizzes"),
      },
      filters: [
        ...(userId === undefined
          ? userFilters
          : [{ test: eq(enrollments.userId, userId) }, ...userFilters.map(testOnly)]),
        ...accessFilter(caller, selection, enrollments.userId),
        ...(courseId ? [{ test: eq(enrollments.courseId, courseId) }] : []),
      ],
      // The iterator passes all enrollments of the audience.
      ...(key && { total: storedEnrollmentCount(key, key === "all" ? (courseId ?? 0) : 0) }),
    },
    toRows: (row) => {
      const quizzes: [number, string, number][] = JSON.parse(row.quizzes)
      return quizzes.map(([moduleId, name, points]) => {
        const cells: Record<string, Cell> = {
          user_id: row.userId,
          course_id: row.courseId,
          module_id: moduleId,
          name: fullName(row.learner),
          email: row.learner.email,
          course: row.course,
          quiz: name,
          attempt: 0,
          status: EnrollmentStatus.NotStarted,
          "out of": points,
        }
        return quizSheetColumns.names.map((column) => cells[column] ?? null)
      })
    },
  })
}
