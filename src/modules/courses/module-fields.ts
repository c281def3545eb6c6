import { z } from "@hono/zod-openapi"
import {
  ESTIMATE_UNITS,
  MODULE_TYPES,
  modules,
  REVIEW_DETAILS,
  REVIEW_TIMES,
  SUBMISSION_TYPES,
} from "../../../drizzle/schema/modules.ts"
import { FILE_KINDS, fileTypeOf } from "../../lib/files/file-kinds.ts"
import {
  boolean,
  choice,
  clearable,
  id,
  integer,
  keepIfNone,
  keepIfNull,
  list,
  name,
  optional,
  text,
} from "../../lib/input/input.ts"
import { column, unindexed } from "../../lib/spreadsheet/columns.ts"
import { nameColumn, sortedIntegerColumn, sortedTextColumn } from "../../lib/spreadsheet/common-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { html } from "../../lib/text/sanitize.ts"

const integerAnswer = () => z.number().int()
const content = () => html(500_000)

/** The fields of every module. */
export const moduleFields = recordFields(modules, {
  name: {
    create: name(),
    change: keepIfNull(name()),
    answer: unindexed(nameColumn(modules.name)),
    listed: true,
    searched: true,
  },
  slug: { answer: sortedTextColumn(modules.slug), listed: true },
  type: { answer: column(modules.type, z.enum(MODULE_TYPES), { sort: { sorted: modules.type } }), listed: true },
  content: { create: content(), change: keepIfNull(content()), answer: column(modules.content, z.string()) },
  icon: {
    create: optional(text(100)).openapi({ type: "string", description: "Defaults to the icon of the type" }),
    answer: column(modules.icon, z.string(), { sort: { sorted: modules.icon } }),
    listed: true,
  },
  isLocked: {
    create: keepIfNone(boolean()).openapi({
      type: "boolean",
      description: "In every course, opens after all required modules before it are completed",
    }),
    answer: column(modules.isLocked, z.boolean(), { sort: { sorted: modules.isLocked } }),
    listed: true,
  },
  estimatedCompletion: {
    create: clearable(integer(0, 100_000), 0),
    answer: sortedIntegerColumn(modules.estimatedCompletion),
    listed: true,
  },
  estimationCompletedUnit: {
    create: keepIfNone(choice(ESTIMATE_UNITS)).openapi({ description: "Defaults to minutes" }),
    answer: column(modules.estimationCompletedUnit, z.enum(ESTIMATE_UNITS), {
      sort: { sorted: modules.estimationCompletedUnit },
    }),
    listed: true,
  },
})

export const videoFields = recordFields(modules, {
  videoUrl: {
    create: clearable(
      text(2000).pipe(z.string().regex(/^(https?:\/\/|\/)\S+$/i, { error: "must be an http(s) URL or a path" })),
    ).openapi({ type: ["string", "null"], maxLength: 2000 }),
    answer: column(modules.videoUrl, z.string().nullable()),
  },
  mediaId: {
    create: clearable(id()).openapi({
      type: ["integer", "null"],
      minimum: 1,
      description: "A video, an audio file or a PDF of the media library, which is shown instead of videoUrl",
    }),
    answer: column(modules.mediaId, integerAnswer().nullable()),
  },
  videoSeconds: {
    create: clearable(integer(0, 1_000_000), 0).openapi({ description: "The video's length in seconds" }),
    answer: column(modules.videoSeconds, integerAnswer()),
  },
})

const flag = (
  stored: typeof modules.shuffleQuestions | typeof modules.shuffleOptions | typeof modules.partialCredit,
  description: string,
) =>
  ({
    create: keepIfNone(boolean()).openapi({ type: "boolean", description }),
    answer: column(stored, z.boolean()),
  }) as const

export const quizFields = recordFields(modules, {
  totalPoints: { answer: column(modules.totalPoints, integerAnswer()) },
  passPercent: {
    create: clearable(integer(0, 100), 0).openapi({ description: "Passing score in percent; defaults to 0" }),
    answer: column(modules.passPercent, integerAnswer()),
  },
  maxAttempts: {
    create: clearable(integer(0, 1000), 0).openapi({ description: "0 means unlimited (default)" }),
    answer: column(modules.maxAttempts, integerAnswer()),
  },
  timeLimitMinutes: {
    create: clearable(integer(0, 10_000), 0).openapi({ description: "0 means no limit (default)" }),
    answer: column(modules.timeLimitMinutes, integerAnswer()),
  },
  shuffleQuestions: flag(modules.shuffleQuestions, "Another order for each attempt"),
  shuffleOptions: flag(modules.shuffleOptions, "Another order for each attempt"),
  partialCredit: flag(modules.partialCredit, "Partly correct answers earn part of the points"),
  reviewDetail: {
    create: keepIfNone(choice(REVIEW_DETAILS)).openapi({
      description: [
        "What learners see of a submitted attempt. score: the score. answers: also which of their answers were right.",
        "explanations: also the correct answers and the explanations (default)",
      ].join(" "),
    }),
    answer: column(modules.reviewDetail, z.enum(REVIEW_DETAILS)),
  },
  reviewAfter: {
    create: keepIfNone(choice(REVIEW_TIMES)).openapi({
      description: [
        "When they see more than the score. attempt: after each attempt. passed: once the quiz is Completed (default).",
        "last: when no attempt is left",
      ].join(" "),
    }),
    answer: column(modules.reviewAfter, z.enum(REVIEW_TIMES)),
  },
})

const fileType = z.string().transform((word, context) => {
  const known = fileTypeOf(word)
  if (known !== undefined) return known
  context.addIssue({
    code: "custom",
    message: `must be one of ${FILE_KINDS.join(", ")}, or a file name extension such as docx`,
  })
  return z.NEVER
})

/** The maximum and default upload size. */
export const MAX_UPLOAD_MB = 25
export const uploadLimit = (stored: number) => stored || MAX_UPLOAD_MB

/** Defaults to text. */
export const toSubmissionType = (stored: string): (typeof SUBMISSION_TYPES)[number] =>
  stored === "file" ? "file" : "text"

export const assignmentFields = recordFields(modules, {
  submission_type: {
    column: "submissionType",
    create: choice(SUBMISSION_TYPES),
    change: keepIfNone(choice(SUBMISSION_TYPES)),
    answer: column(modules.submissionType, z.enum(SUBMISSION_TYPES), { show: toSubmissionType }),
  },
  totalPoints: { create: clearable(integer(0, 1_000_000), 0), answer: column(modules.totalPoints, integerAnswer()) },
  allowed_filetypes: {
    column: "allowedFiletypes",
    create: optional(list(fileType, 50).transform((types) => [...new Set(types)])).openapi({
      type: "array",
      items: { type: "string", example: "pdf" },
      description: [
        `Required when submission_type is file: ${FILE_KINDS.join(", ")},`,
        "or a file name extension such as docx",
      ].join(" "),
    }),
    answer: column(modules.allowedFiletypes, z.array(z.string())),
  },
  maxUploadSize: {
    create: clearable(integer(0, MAX_UPLOAD_MB), 0).openapi({ description: "Per file, in MB; 0 means 25 (default)" }),
    answer: column(modules.maxUploadSize, integerAnswer().openapi({ description: "Per file, in MB" }), {
      show: uploadLimit,
    }),
  },
})
