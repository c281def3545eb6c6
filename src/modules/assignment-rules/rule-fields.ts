import { z } from "@hono/zod-openapi"
import { assignmentRules, ON_LEAVE } from "../../../drizzle/schema/assignment-rules.ts"
import { audienceAnswer, audienceCondition, NO_ONE } from "../../access/audience-condition.schema.ts"
import {
  boolean,
  clearable,
  integer,
  keepIfNone,
  keepIfNull,
  name,
  optional,
  withDefault,
} from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn, updatedAtColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import {
  DEFAULT_REMINDERS,
  due,
  dueInput,
  onLeave,
  ownerId,
  recurrence,
  recurrenceInput,
  reminders,
  remindersInput,
} from "./rule-inputs.ts"

const owner = (of: string) =>
  ownerId().openapi({
    type: "integer",
    minimum: 1,
    description: `The ${of} to which the rule is limited. Its administrators manage it. Never changes`,
  })

export const ruleFields = recordFields(assignmentRules, {
  name: {
    create: name(),
    change: keepIfNull(name()),
    answer: nameColumn(assignmentRules.name),
    listed: true,
    searched: true,
  },
  active: {
    create: withDefault(boolean(), true).openapi({
      type: "boolean",
      description: "false: no one joins or leaves; what is assigned stays",
    }),
    change: keepIfNone(boolean()),
    answer: column(assignmentRules.active, z.boolean(), { sort: { sorted: assignmentRules.active } }),
    listed: true,
  },
  audience: {
    create: withDefault(audienceCondition(), NO_ONE),
    change: keepIfNone(audienceCondition()),
    answer: column(assignmentRules.audience, audienceAnswer()),
  },
  due: {
    create: withDefault(dueInput(), { type: "none" }),
    change: keepIfNone(dueInput()),
    answer: column(assignmentRules.due, due),
  },
  graceDays: {
    create: withDefault(integer(0, 365), 0).openapi({
      type: "integer",
      minimum: 0,
      maximum: 365,
      description: "Days after the due date until it is overdue",
    }),
    change: keepIfNone(integer(0, 365)),
    answer: column(assignmentRules.graceDays, z.number().int()),
  },
  skipWeekends: {
    create: withDefault(boolean(), false).openapi({
      type: "boolean",
      description: "Whether due dates on Saturday and Sunday move to Monday",
    }),
    change: keepIfNone(boolean()),
    answer: column(assignmentRules.skipWeekends, z.boolean()),
  },
  recurrence: {
    create: optional(recurrenceInput()),
    change: clearable(recurrenceInput()),
    answer: column(assignmentRules.recurrence, recurrence.nullable()),
  },
  reminders: {
    create: withDefault(remindersInput(), DEFAULT_REMINDERS),
    change: keepIfNone(remindersInput()),
    answer: column(assignmentRules.reminders, reminders),
  },
  onLeave: {
    create: withDefault(onLeave(), "keep").openapi({
      type: "string",
      enum: [...ON_LEAVE],
      description: "What becomes of the enrollments that rules created when people leave the audience",
    }),
    change: keepIfNone(onLeave()),
    answer: column(assignmentRules.onLeave, z.enum(ON_LEAVE)),
  },
  groupId: {
    create: owner("group"),
    change: false,
    answer: column(assignmentRules.groupId, z.number().int().nullable()),
    listed: true,
  },
  portalId: {
    create: owner("portal"),
    change: false,
    answer: column(assignmentRules.portalId, z.number().int().nullable()),
    listed: true,
  },
})

const shared = {
  userCount: sortedIntegerColumn(assignmentRules.userCount),
  pendingCount: sortedIntegerColumn(assignmentRules.pendingCount),
  created_at: dateColumn(assignmentRules.createdAt),
  updatedAt: updatedAtColumn(assignmentRules.updatedAt, { sorted: assignmentRules.updatedAt }),
}

/** A rule alone. */
export const ruleColumns = listColumns({ id: integerColumn(assignmentRules.id), ...ruleFields.answers, ...shared })

/** A rule in the list. */
export const listedRuleColumns = listColumns({ id: integerColumn(assignmentRules.id), ...ruleFields.listed, ...shared })
