import type { ZodObject, z } from "zod"
import { userKnown } from "../../gate/scope.ts"
import type { Access, Caller } from "../../lib/access.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import type { Sheet } from "../../lib/sheet/sheet.ts"
import { XLSX_TYPE } from "../../lib/sheet/workbook.ts"
import { type Database, one } from "../../lib/sql/db.ts"
import { ONE_ROW } from "../../lib/sql/sql.ts"
import { quizExport } from "../assessment/quiz-reports.schemas.ts"
import { openQuizSheet } from "../assessment/quizzes.export.ts"
import { openUserSheet } from "../people/users.export.ts"
import { userExport } from "../people/users.schemas.ts"
import { mayAskFor, refuseUnknown } from "../reporting/enrollment-filters.ts"
import { openGradebook, widest } from "../reporting/gradebook.export.ts"
import { enrollmentExport } from "../reporting/reports.schemas.ts"
import { openUserReportSheet } from "../reporting/user-report.export.ts"
import { type Check, type Source, sheetFile } from "./export-files.ts"
import { personalDataCheck, personalDataFile } from "./personal-data.export.ts"
import { personalDataExport } from "./personal-data.schemas.ts"

/** One kind of export: its four operations, and how its file is made. */
export interface ExportKind {
  name: string
  /** What it holds, to be read in "Export users". */
  title: string
  /** What its file's name begins with; a sheet is called so too. */
  file: string
  /** The ending of its file's name, and its media type. */
  ending: "xlsx" | "zip"
  type: string
  access: Access
  /** Not of the interface: an extension of ours. */
  extension?: boolean
  /** What the initiating operation's description leaves open. */
  about?: string
  /** Initiate; the three others follow it. */
  path: `/api/${string}/export`
  progress: `/api/${string}/export/progress/{exportId}`
  cancel: `/api/${string}/export/cancel/{exportId}`
  download: `/api/${string}/export/download/{exportId}`
  body: ZodObject
  /** The bytes of one job's file. @param filter the body, as text */
  write(source: Source, filter: string): AsyncIterable<Uint8Array>
  /** What is refused when the export is asked for, not when it is written. */
  check?: Check<string>
  /** What else the audit row says, where the export is about somebody. */
  concerns?(filter: string): Record<string, unknown>
}

/** Ties what a kind does with its filter to what its body's schema reads. */
const kind = <B extends ZodObject, Row>({
  check,
  write,
  concerns,
  ...given
}: Omit<ExportKind, "body" | "write" | "check" | "concerns"> & {
  body: B
  write: (source: Source, filter: z.output<B>) => AsyncIterable<Uint8Array>
  check?: Check<z.output<B>, Row>
  concerns?: (filter: z.output<B>) => Record<string, unknown>
}): ExportKind => {
  const read = (filter: string) => given.body.parse(JSON.parse(filter))
  return {
    ...given,
    write: (source, filter) => write(source, read(filter)),
    ...(concerns && { concerns: (filter) => concerns(read(filter)) }),
    ...(check && {
      check: {
        read: (work, filter) => check.read(work, read(filter)),
        refuse: (work, rows, filter) => check.refuse(work, rows as Row[], read(filter)),
      },
    }),
  }
}

/** A kind whose file is a spreadsheet. @param given.open reads what the columns depend on, and opens the rows */
const spreadsheet = <B extends ZodObject, Row>({
  open,
  ...given
}: Omit<Parameters<typeof kind<B, Row>>[0], "ending" | "type" | "write"> & {
  open: (db: Database, caller: Caller, filter: z.output<B>) => Promise<Sheet>
}) =>
  kind<B, Row>({
    ...given,
    ending: "xlsx",
    type: XLSX_TYPE,
    write: ({ db, caller, pace }, filter) => sheetFile(given.file, () => open(db, caller, filter), pace),
  })

/** Every kind of export. A new one is one entry here, and its rows in its own family. */
export const exportKinds: ExportKind[] = [
  spreadsheet({
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
  spreadsheet({
    name: "user report",
    title: "the user report",
    file: "user-report",
    access: "group_admin",
    path: "/api/learner-insight/report/export",
    progress: "/api/learner-insight/report/export/progress/{exportId}",
    cancel: "/api/learner-insight/report/export/cancel/{exportId}",
    download: "/api/learner-insight/report/export/download/{exportId}",
    body: enrollmentExport,
    open: openUserReportSheet,
    check: {
      read: ({ db, caller }, filters) => db.select({ allowed: mayAskFor(caller, filters).as("allowed") }).from(ONE_ROW),
      refuse: ({ caller }, rows, filters) => refuseUnknown(caller, one(rows), filters),
    },
  }),
  spreadsheet({
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
    check: {
      read: ({ db, caller }, { user_id: userId }) => userKnown(db, caller, userId ?? 0),
      refuse: (_, rows, { user_id: userId }) => {
        if (userId !== undefined && rows.length === 0) throw notFound("user")
      },
    },
  }),
  spreadsheet({
    name: "gradebook",
    title: "the gradebook",
    file: "gradebook",
    access: "group_admin",
    about: "Without courseId, it has the graded modules of every course in which somebody of it is registered.",
    path: "/api/user/gradebook/export",
    progress: "/api/user/gradebook/export/progress/{exportId}",
    cancel: "/api/user/gradebook/export/cancel/{exportId}",
    download: "/api/user/gradebook/export/download/{exportId}",
    body: enrollmentExport,
    open: openGradebook,
    check: {
      read: ({ db, caller }, filters) => widest.count(db, caller, filters),
      refuse: ({ caller }, rows, filters) => {
        const found = one(rows)
        refuseUnknown(caller, found, filters)
        if (found.count > widest.most) throw invalid("search_param", widest.message)
      },
    },
  }),
  kind({
    name: "personal data",
    title: "a person's data",
    file: "personal-data",
    ending: "zip",
    type: "application/zip",
    access: "general",
    extension: true,
    about: [
      "A zip archive of all that is held about a person, as JSON, with their files.",
      "Everyone for themselves; administrators for others, owners alone for an owner.",
    ].join(" "),
    path: "/api/user/personal-data/export",
    progress: "/api/user/personal-data/export/progress/{exportId}",
    cancel: "/api/user/personal-data/export/cancel/{exportId}",
    download: "/api/user/personal-data/export/download/{exportId}",
    body: personalDataExport,
    write: personalDataFile,
    check: personalDataCheck,
    concerns: ({ userId }) => (userId === undefined ? {} : { userId }),
  }),
]
