import { z } from "@hono/zod-openapi"
import {
  type DueDateRule,
  ON_LEAVE,
  type RecurrenceRule,
  type ReminderRule,
} from "../../../drizzle/schema/assignment-rules.ts"
import {
  boolean,
  choice,
  day,
  id,
  ids,
  integer,
  keepIfNone,
  line,
  list,
  optional,
  withDefault,
} from "../../lib/input/input.ts"

// The parts of a rule: when it is due, how it recurs, and when it reminds. Each has its keys in one order, so that
// equal values are equal as JSON.

const DUE_TYPES = ["none", "date", "days"] as const
const DUE_FROM = ["assignment", "field"] as const

const required = (context: z.RefinementCtx, path: string) => {
  context.addIssue({ code: "custom", path: [path], message: "is required" })
  return z.NEVER
}

export const dueInput = () =>
  z
    .object({
      type: choice(DUE_TYPES),
      date: optional(day()).openapi({ type: "string", format: "date", description: "With type date" }),
      days: optional(integer(0, 3650)).openapi({
        type: "integer",
        minimum: 0,
        maximum: 3650,
        description: "With type days",
      }),
      from: optional(choice(DUE_FROM)).openapi({
        type: "string",
        enum: [...DUE_FROM],
        description: "What days count from: the assignment (default), or the date in a custom field of the person",
      }),
      field: optional(line(100)).openapi({ type: "string", description: "The key of the date field, with from field" }),
    })
    .transform(({ type, date, days, from = "assignment", field }, context): DueDateRule => {
      if (type === "none") return { type }
      if (type === "date") return date === undefined ? required(context, "date") : { type, date }
      if (days === undefined) return required(context, "days")
      if (from === "assignment") return { type, days, from }
      return field === undefined ? required(context, "field") : { type, days, from, field }
    })
    .openapi({ example: { type: "days", days: 30, from: "assignment" } })

export const due = z
  .object({
    type: z.enum(DUE_TYPES),
    date: z.string().optional(),
    days: z.number().int().optional(),
    from: z.enum(DUE_FROM).optional(),
    field: z.string().optional(),
  })
  .openapi("AssignmentDue", { description: "When the training is due, at the end of the day where the person is" })

const RECURRENCE_TYPES = ["months", "yearly"] as const
const DEFAULT_WINDOW = 30
/** A window shorter than a year, so that it never contains two dates. */
const MAX_YEARLY_WINDOW = 300

export const recurrenceInput = () =>
  z
    .object({
      type: choice(RECURRENCE_TYPES),
      months: optional(integer(1, 120)).openapi({
        type: "integer",
        minimum: 1,
        maximum: 120,
        description: "With type months: after the completion",
      }),
      month: optional(integer(1, 12)).openapi({
        type: "integer",
        minimum: 1,
        maximum: 12,
        description: "With type yearly",
      }),
      day: optional(integer(1, 31)).openapi({
        type: "integer",
        minimum: 1,
        maximum: 31,
        description: "With type yearly",
      }),
      opensDaysBefore: optional(integer(0, 3359)).openapi({
        type: "integer",
        minimum: 0,
        maximum: 3359,
        description:
          "How many days before the due date the next cycle opens: less than 28 for each month, at most 300 with " +
          "type yearly. Defaults to 30, or less if the period is shorter",
      }),
    })
    .transform(({ type, months, month, day, opensDaysBefore }, context): RecurrenceRule => {
      if (type === "months" && months === undefined) return required(context, "months")
      if (type === "yearly" && month === undefined) return required(context, "month")
      if (type === "yearly" && day === undefined) return required(context, "day")
      const longest = type === "months" ? (months ?? 1) * 28 - 1 : MAX_YEARLY_WINDOW
      const window = opensDaysBefore ?? Math.min(DEFAULT_WINDOW, longest)
      if (window > longest) {
        context.addIssue({ code: "custom", path: ["opensDaysBefore"], message: `must be ${longest} or less` })
        return z.NEVER
      }
      return type === "months"
        ? { type, months: months ?? 1, opensDaysBefore: window }
        : { type, month: month ?? 1, day: day ?? 1, opensDaysBefore: window }
    })
    .openapi({ example: { type: "months", months: 12, opensDaysBefore: 30 } })

export const recurrence = z
  .object({
    type: z.enum(RECURRENCE_TYPES),
    months: z.number().int().optional(),
    month: z.number().int().optional(),
    day: z.number().int().optional(),
    opensDaysBefore: z.number().int(),
  })
  .openapi("AssignmentRecurrence", { description: "When the training must be repeated; null: never" })

export const DEFAULT_REMINDERS: ReminderRule = { daysBefore: [30, 7, 1], overdueEveryDays: 7, copySupervisors: false }

export const remindersInput = () =>
  z
    .object({
      // An empty list is not the default: it means no reminders before the due date.
      daysBefore: keepIfNone(list(integer(0, 365), 10))
        .transform((days) => (days ? [...new Set(days)].sort((a, b) => b - a) : DEFAULT_REMINDERS.daysBefore))
        .openapi({
          type: "array",
          items: { type: "integer", minimum: 0, maximum: 365 },
          maxItems: 10,
          default: DEFAULT_REMINDERS.daysBefore,
          description: "Days before the due date; 0: on the day. The first makes it due soon. Empty: none",
        }),
      overdueEveryDays: withDefault(integer(0, 90), DEFAULT_REMINDERS.overdueEveryDays).openapi({
        type: "integer",
        minimum: 0,
        maximum: 90,
        description: "Repeated while it is overdue; 0: never",
      }),
      copySupervisors: withDefault(boolean(), false).openapi({
        type: "boolean",
        description: "Whether supervisors get a copy of the first overdue reminder",
      }),
    })
    .transform(
      ({ daysBefore, overdueEveryDays, copySupervisors }): ReminderRule => ({
        daysBefore,
        overdueEveryDays,
        copySupervisors,
      }),
    )

export const reminders = z
  .object({
    daysBefore: z.array(z.number().int()),
    overdueEveryDays: z.number().int(),
    copySupervisors: z.boolean(),
  })
  .openapi("AssignmentReminders")

export const onLeave = () => choice(ON_LEAVE)

/** Courses or learning paths. */
export const targetIds = () => ids(50)

export const ownerId = () => optional(id())
