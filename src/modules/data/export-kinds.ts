import type { ZodObject, z } from "zod"
import type { Access, Caller } from "../../lib/access.ts"
import type { Sheet } from "../../lib/sheet/sheet.ts"
import type { Database } from "../../lib/sql/db.ts"
import { quizExport } from "../assessment/quiz-reports.schemas.ts"
import { openQuizSheet } from "../assessment/quizzes.export.ts"
import { openUserSheet } from "../people/users.export.ts"
import { userExport } from "../people/users.schemas.ts"
import { openGradebook, widest } from "../reporting/gradebook.export.ts"
import { gradebookExport } from "../reporting/gradebook.schemas.ts"
import { userReportExport } from "../reporting/reports.schemas.ts"
import { openUserReportSheet } from "../reporting/user-report.export.ts"

/** One kind of export: its four operations, and how its rows are read. */
export interface ExportKind {
  name: string
  /** What it holds, to be read in "Export users". */
  title: string
  /** The sheet's name, and what its file's name begins with. */
  file: string
  access: Access
  /** Initiate; the three others follow it. */
  path: `/api/${string}/export`
  progress: `/api/${string}/export/progress/{exportId}`
  cancel: `/api/${string}/export/cancel/{exportId}`
  download: `/api/${string}/export/download/{exportId}`
  body: ZodObject
  /** Reads what the columns depend on, and opens the rows of one job. @param filter the body, as text */
  open(db: Database, caller: Caller, filter: string): Promise<Sheet>
  /** What is too much for a sheet: refused when the export is asked for, not when it is written. */
  limit?: Limit<string>
}

interface Limit<Filter> {
  most: number
  /** For `search_param`, where there is more. */
  message: string
  /** A statement of one row. */
  count(db: Database, caller: Caller, filter: Filter): CountStatement
}
type CountStatement = ReturnType<typeof widest.count>

/** Ties a kind's `open` to what its body's schema reads. */
const kind = <B extends ZodObject>({
  limit,
  ...given
}: Omit<ExportKind, "body" | "open" | "limit"> & {
  body: B
  open: (db: Database, caller: Caller, filter: z.output<B>) => Promise<Sheet>
  limit?: Limit<z.output<B>>
}): ExportKind => {
  const read = (filter: string) => given.body.parse(JSON.parse(filter))
  return {
    ...given,
    open: (db, caller, filter) => given.open(db, caller, read(filter)),
    ...(limit && { limit: { ...limit, count: (db, caller, filter) => limit.count(db, caller, read(filter)) } }),
  }
}

/** Every kind of export. A new one is one entry here, and its rows in its own family. */
export const exportKinds: ExportKind[] = [
  kind({
    name: "users",
    title: "users",
    file: "users",
    access: "group_admin",
    path: "/api/users/export",
    progress: "/api/users/export/progress/{exportId}",
    cancel: "/api/users/export/cancel/{exportId}",
    download: "/api/users/export/download/{exportId}",
    body: userExport,
    open: openUserSheet,
  }),
  kind({
    name: "user report",
    title: "the user report",
    file: "user-report",
    access: "group_admin",
    path: "/api/learner-insight/report/export",
    progress: "/api/learner-insight/report/export/progress/{exportId}",
    cancel: "/api/learner-insight/report/export/cancel/{exportId}",
    download: "/api/learner-insight/report/export/download/{exportId}",
    body: userReportExport,
    open: openUserReportSheet,
  }),
  kind({
    name: "learner-quizzes",
    title: "learner quizzes",
    file: "learner-quizzes",
    access: "group_admin",
    path: "/api/user/learner-quizzes/export",
    progress: "/api/user/learner-quizzes/export/progress/{exportId}",
    cancel: "/api/user/learner-quizzes/export/cancel/{exportId}",
    download: "/api/user/learner-quizzes/export/download/{exportId}",
    body: quizExport,
    open: openQuizSheet,
  }),
  kind({
    name: "gradebook",
    title: "the gradebook",
    file: "gradebook",
    access: "group_admin",
    path: "/api/user/gradebook/export",
    progress: "/api/user/gradebook/export/progress/{exportId}",
    cancel: "/api/user/gradebook/export/cancel/{exportId}",
    download: "/api/user/gradebook/export/download/{exportId}",
    body: gradebookExport,
    open: openGradebook,
    limit: widest,
  }),
]
