import { z } from "@hono/zod-openapi"
import { MODULE_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { MODULE_TYPES } from "../../../drizzle/schema/modules.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import { choice, id, integer, list, nonEmpty, optional, time } from "../../lib/input/input.ts"
import { durationAnswer } from "../../lib/spreadsheet/date-columns.ts"

export const courseModulesQuery = z.object({
  registrationId: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
})

const nullableTime = () =>
  z.string().nullable().openapi({ format: "date-time", description: "ISO 8601; null if it hasn't happened" })
const integerAnswer = () => z.number().int()

/** A module with its progress, as the API returns it. */
export const moduleStatusRow = z
  .object({
    module_id: integerAnswer(),
    name: z.string(),
    slug: z.string(),
    type: z.enum(MODULE_TYPES),
    icon: z.string(),
    is_locked: z.boolean(),
    lock_reason: z.string().openapi({ description: "What to do first; empty if not locked" }),
    is_dripped: z.boolean().openapi({ description: "Opens on a later date" }),
    drip_message: z.string(),
    is_current: z.boolean().openapi({
      description: "The module to continue with: the first open one that is neither Submitted nor Completed",
    }),
    status_row_id: integerAnswer().openapi({ description: "-1 if the module was never opened" }),
    status: z.enum(MODULE_STATUSES),
    started_on: nullableTime(),
    completed_on: nullableTime(),
    last_accessed_on: nullableTime(),
    total_time_spent: z.union([durationAnswer, z.literal("")]),
    points_awarded: z.number().nullable(),
    completion_percentage: integerAnswer(),
    no_of_times_accessed: integerAnswer(),
  })
  .openapi("ModuleStatusRow")

const quizTerms = z
  .object({
    questions: integerAnswer(),
    time_limit_minutes: integerAnswer().openapi({ description: "0 means no limit" }),
    pass_percent: integerAnswer().openapi({ description: "Of the points" }),
    max_attempts: integerAnswer().openapi({ description: "0 means unlimited" }),
    attempts_used: integerAnswer().openapi({ description: "Attempts started since the module was opened or reset" }),
    is_attempt_open: z
      .boolean()
      .openapi({ description: "An attempt was started but not submitted; it can be continued" }),
    is_awaiting_grading: z
      .boolean()
      .openapi({ description: "An essay of the last attempt waits to be graded; then the next attempt can start" }),
  })
  .openapi("QuizTerms")

/** The modules of an enrollment; quizzes include their terms. */
export const moduleStatusRows = z.array(
  moduleStatusRow
    .extend({ quiz: quizTerms.nullable().openapi({ description: "null if the module is not a quiz" }) })
    .openapi("RegistrationModule"),
)

export const newProgress = z
  .object({
    statusRowId: optional(integer(-1, Number.MAX_SAFE_INTEGER)).openapi({
      type: "integer",
      description: "If there is no status row yet (-1), send registrationId and moduleId",
    }),
    registrationId: optional(id()),
    moduleId: optional(id()),
    status: optional(choice([ModuleStatus.InProgress, ModuleStatus.Completed])).openapi({
      description: "Defaults to In Progress",
    }),
    percentage: optional(integer(0, 100)).openapi({ description: "Progress through the module; it never decreases" }),
    timeSpent: optional(integer(0, 1_000_000)).openapi({ description: "Seconds to add" }),
    started_on: optional(time()).openapi({ format: "date-time", description: "Staff only" }),
    completed_on: optional(time()).openapi({
      format: "date-time",
      description: "Staff only: for records from another system. Locks, dates and minimum times are not checked",
    }),
  })
  .superRefine((input, context) => {
    const { started_on, completed_on } = input
    if (started_on !== undefined && completed_on !== undefined && completed_on < started_on)
      context.addIssue({ code: "custom", path: ["completed_on"], message: "must not be before started_on" })
    if ((input.statusRowId ?? 0) > 0) return
    for (const field of ["registrationId", "moduleId"] as const)
      if (input[field] === undefined)
        context.addIssue({ code: "custom", path: [field], message: "is required without statusRowId" })
  })
  .openapi("Progress")
export type NewProgress = z.output<typeof newProgress>

const progressRecord = z
  .object({
    registrationId: id(),
    moduleId: id(),
    started_on: optional(time()).openapi({ format: "date-time", description: "Defaults to completed_on" }),
    completed_on: optional(time()).openapi({
      format: "date-time",
      description: "Sets the status Completed; without it, In Progress",
    }),
    percentage: optional(integer(0, 100)).openapi({ description: "Progress through the module; 100 if Completed" }),
    timeSpent: optional(integer(0, 1_000_000)).openapi({ description: "Seconds" }),
  })
  .superRefine(({ started_on, completed_on }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message })
    if (started_on === undefined && completed_on === undefined) issue("started_on", "or completed_on is required")
    if (started_on !== undefined && completed_on !== undefined && completed_on < started_on)
      issue("completed_on", "must not be before started_on")
  })
  .openapi("ProgressRecord")
export type ProgressRecord = z.output<typeof progressRecord>

/** Enough for the maximum number of records. */
export const PROGRESS_RECORDS_BYTES = 2_000_000

export const progressRecords = z
  .object({
    records: nonEmpty(list(progressRecord)).refine(
      (all) => new Set(all.map((row) => `${row.registrationId}:${row.moduleId}`)).size === all.length,
      {
        error: "must not contain the same registration and module twice",
      },
    ),
  })
  .openapi("ProgressRecords")
export type ProgressRecords = z.output<typeof progressRecords>

export const progressRecorded = z.object({
  message: z.string(),
  recorded: integerAnswer(),
  alreadyRecorded: integerAnswer(),
  skipped: integerAnswer().openapi({ description: "Unknown registrations, and modules outside their course" }),
})

export const progressAnswer = z.object({ message: z.string(), statusRowId: integerAnswer() })
