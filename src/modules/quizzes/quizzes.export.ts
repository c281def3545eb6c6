import { quizAttempts } from "../../../drizzle/quizzes.ts"
import type { Caller } from "../../gate/access.ts"
import { displayDateTime } from "../../lib/dates.ts"
import type { Database } from "../../lib/db.ts"
import { type Sheet, sheet } from "../../lib/sheet.ts"
import { attemptFields, attemptScope, attemptSearch } from "./quiz-report.queries.ts"
import type { QuizExport } from "./quiz-reports.schemas.ts"

const HEADERS = [
  "name",
  "email",
  "course",
  "quiz",
  "attempt",
  "status",
  "started",
  "completed",
  "time taken",
  "score",
  "out of",
  "percent",
  "result",
]

const moment = (at: number) => (at ? displayDateTime(at) : "")

/** The attempts that the caller may see and its filter admits, in the order of their ids. Time taken is in seconds. */
export async function openQuizSheet(db: Database, caller: Caller, filter: QuizExport): Promise<Sheet> {
  return sheet(db, {
    headers: HEADERS,
    walk: {
      table: quizAttempts,
      key: quizAttempts.id,
      fields: attemptFields,
      filters: [...attemptSearch(filter.search_param, filter.searchPortalIds), ...attemptScope(caller)],
    },
    toCells: (row) => {
      const done = row.status === "Completed"
      return [
        row.learner,
        row.email,
        row.course,
        row.quiz,
        row.number,
        row.status,
        moment(row.startedAt),
        moment(row.completedAt),
        done ? row.timeTaken : null,
        done ? row.score : null,
        row.outOf,
        done ? row.percent : null,
        row.result,
      ]
    },
  })
}
