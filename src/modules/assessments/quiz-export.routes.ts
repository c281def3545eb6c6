import { selectVisibleUser } from "../../access/scope.ts"
import { notFound } from "../../lib/errors.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { quizExport } from "./quiz-reports.schemas.ts"
import { openQuizSheet } from "./quizzes.export.ts"

export const quizzesExportKind = spreadsheetExport({
  name: "learner-quizzes",
  title: "learner quizzes",
  filePrefix: "learner-quizzes",
  access: "group_admin",
  path: "/api/user/learner-quizzes/export",
  progress: "/api/user/learner-quizzes/export/progress/{exportId}",
  cancel: "/api/user/learner-quizzes/export/cancel/{exportId}",
  download: "/api/user/learner-quizzes/export/download/{exportId}",
  body: quizExport,
  open: openQuizSheet,
  check: {
    read: ({ db, caller }, { user_id: userId }) => [selectVisibleUser(db, caller, userId ?? 0)],
    validate: (_, [rows], { user_id: userId }) => {
      if (userId !== undefined && rows?.length === 0) throw notFound("user")
    },
  },
})

export const quizzesExport = exportRoutes(quizzesExportKind)
