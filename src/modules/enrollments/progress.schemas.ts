import { z } from "@hono/zod-openapi"
import { MODULE_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { MODULE_TYPES } from "../../../drizzle/schema/modules.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import { choice, id, integer, list, nonEmpty, optional, time } from "../../lib/input/input.ts"
import { durationAnswer } from "../../lib/spreadsheet/date-columns.ts"

export const courseModulesQuery = z.object({
  registrationId: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
})

const moment = () => z.string().nullable().openapi({ format: "date-time", description: "ISO 8601; null: not yet" })
const whole = () => z.number().int()

/** A module status row, as the interface shows it. */
export const moduleStatusRow = z
  .object({
    module_id: whole(),
    name: z.string(),
    slug: z.string(),
    type: z.enum(MODULE_TYPES),
    icon: z.string(),
    is_locked: z.boolean(),
    lock_reason: z.string().openapi({ description: "What to do first; empty when not locked" }),
    is_dripped: z.boolean().openapi({ description: "Opens on a later day" }),
    drip_message: z.string(),
    is_current: z
      .boolean()
      .openapi({ description: "The one to go on with: the first that is open and neither Submitted nor Completed" }),
    status_row_id: whole().openapi({ description: "-1 when no status exists" }),
    status: z.enum(MODULE_STATUSES),
    started_on: moment(),
    completed_on: moment(),
    last_accessed_on: moment(),
    total_time_spent: z.union([durationAnswer, z.literal("")]),
    points_awarded: z.number().nullable(),
    completion_percentage: whole(),
    no_of_times_accessed: whole(),
  })
  .openapi("ModuleStatusRow")

const quizTerms = z
  .object({
    questions: whole(),
    time_limit_minutes: whole().openapi({ description: "0: no limit" }),
    pass_percent: whole().openapi({ description: "Of the points" }),
    max_attempts: whole().openapi({ description: "0: any number" }),
    attempts_used: whole().openapi({ description: "Begun since the module was opened, or reset" }),
    is_attempt_open: z.boolean().openapi({ description: "One is begun and not submitted: it can be continued" }),
  })
  .openapi("QuizTerms")

/** The modules of a registration: of a quiz also what it asks of the learner, before it is begun. */
export const moduleStatusRows = z.array(
  moduleStatusRow
    .extend({ quiz: quizTerms.nullable().openapi({ description: "null: the module is no quiz" }) })
    .openapi("RegistrationModule"),
)

export const newProgress = z
  .object({
    statusRowId: optional(integer(-1, Number.MAX_SAFE_INTEGER)).openapi({
      type: "integer",
      description: "Where none exists yet (-1): registrationId and moduleId",
    }),
    registrationId: optional(id()),
    moduleId: optional(id()),
    status: optional(choice([ModuleStatus.InProgress, ModuleStatus.Completed])).openapi({
      description: "In Progress unless given",
    }),
    percentage: optional(integer(0, 100)).openapi({ description: "Through the module; it never falls" }),
    timeSpent: optional(integer(0, 1_000_000)).openapi({ description: "Seconds, added to what is there" }),
    started_on: optional(time()).openapi({ format: "date-time", description: "Staff alone" }),
    completed_on: optional(time()).openapi({
      format: "date-time",
      description: "Staff alone: of records from another system, which no lock, date or least time holds up",
    }),
  })
  .superRefine((input, context) => {
    const { started_on, completed_on } = input
    if (started_on !== undefined && completed_on !== undefined && completed_on < started_on)
      context.addIssue({ code: "custom", path: ["completed_on"], message: "must not be before started_on" })
    if ((input.statusRowId ?? 0) > 0) return
    for (const field of ["registrationId", "moduleId"] as const)
      if (input[field] === undefined)
        context.addIssue({ code: "custom", path: [field], message: "is required where statusRowId is not given" })
  })
  .openapi("Progress")
export type NewProgress = z.output<typeof newProgress>

const progressRecord = z
  .object({
    registrationId: id(),
    moduleId: id(),
    started_on: optional(time()).openapi({ format: "date-time", description: "As completed_on unless given" }),
    completed_on: optional(time()).openapi({
      format: "date-time",
      description: "Makes it Completed; else In Progress",
    }),
    percentage: optional(integer(0, 100)).openapi({ description: "Through the module; 100 where it is Completed" }),
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

/** Bytes of a body with the most records. */
export const PROGRESS_RECORDS_BYTES = 2_000_000

export const progressRecords = z
  .object({
    records: nonEmpty(list(progressRecord)).refine(
      (all) => new Set(all.map((row) => `${row.registrationId}:${row.moduleId}`)).size === all.length,
      {
        error: "names a registration and a module twice",
      },
    ),
  })
  .openapi("ProgressRecords")
export type ProgressRecords = z.output<typeof progressRecords>

export const progressRecorded = z.object({
  message: z.string(),
  recorded: whole(),
  alreadyRecorded: whole(),
  skipped: whole().openapi({ description: "Unknown registrations, and modules that are not in their course" }),
})

export const progressAnswer = z.object({ message: z.string(), statusRowId: whole() })
