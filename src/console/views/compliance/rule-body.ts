import type { Schemas } from "../../../client/index.ts"
import type { Choice } from "../../ui/choice.ts"
import type { Values } from "../../ui/form.tsx"
import { type AudienceDraft, writeAudience } from "./audience-draft.ts"

export type Rule = Schemas["AssignmentRule"]
export type RuleBody = Schemas["NewAssignmentRule"]
export type RuleChanges = Schemas["AssignmentRuleChanges"]

/** The parts of a rule that are not plain fields of the form. */
export interface RuleDraft {
  /** undefined: an audience that the console cannot show; it stays as it is. */
  audience: AudienceDraft | undefined
  courses: readonly Choice[]
  learningPaths: readonly Choice[]
}

const DEFAULT_WINDOW = 30

function dueOf(values: Values): NonNullable<RuleChanges["due"]> {
  const [type, from] = values.text("due").split(".")
  if (type === "date") return { type: "date", date: values.text("date") }
  if (type !== "days") return { type: "none" }
  const days = values.number("days") ?? 0
  return from === "field" ? { type, days, from, field: values.text("field") } : { type, days, from: "assignment" }
}

function recurrenceOf(values: Values) {
  const opensDaysBefore = values.number("opensDaysBefore") ?? DEFAULT_WINDOW
  if (values.text("recurrence") === "months")
    return { type: "months" as const, months: values.number("months") ?? 1, opensDaysBefore }
  if (values.text("recurrence") !== "yearly") return null
  const [month = 1, day = 1] = values.text("yearlyDate").split("-").slice(1).map(Number)
  return { type: "yearly" as const, month, day, opensDaysBefore }
}

/** The days before the due date from a text such as `30, 7, 1`. */
const daysOf = (text: string) =>
  text
    .split(/[,\s]+/)
    .filter(Boolean)
    .map(Number)

/** The body of the request that creates or changes a rule. */
export function toRuleBody(values: Values, { audience, courses, learningPaths }: RuleDraft): RuleChanges {
  return {
    name: values.text("name"),
    active: values.checked("active"),
    ...(audience && { audience: writeAudience(audience) }),
    courseIds: courses.map(({ id }) => id),
    learningPathIds: learningPaths.map(({ id }) => id),
    due: dueOf(values),
    graceDays: values.number("graceDays") ?? 0,
    skipWeekends: values.checked("skipWeekends"),
    recurrence: recurrenceOf(values),
    reminders: {
      daysBefore: daysOf(values.text("daysBefore")),
      overdueEveryDays: values.number("overdueEveryDays") ?? 0,
      copySupervisors: values.checked("copySupervisors"),
    },
    onLeave: values.text("onLeave") as NonNullable<RuleChanges["onLeave"]>,
  }
}
