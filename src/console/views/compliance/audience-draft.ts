import type { Schemas } from "../../../client/index.ts"

// The console edits audiences of one level: all or any of some conditions, except others. The API accepts deeper ones,
// which the console keeps as they are.

type Condition = Schemas["AudienceCondition"]

export const CONDITION_TYPES = ["group", "portal", "role", "category", "membership", "field", "joined"] as const
export type ConditionType = (typeof CONDITION_TYPES)[number]

/** One condition, with the texts of its inputs. */
export interface ConditionDraft {
  key: number
  type: ConditionType
  /** Whether it excludes the people who match. */
  isExcluded: boolean
  ids: readonly number[]
  roles: readonly string[]
  field: string
  test: string
  value: string
  after: string
  before: string
}

export interface AudienceDraft {
  isEveryone: boolean
  match: "all" | "any"
  conditions: readonly ConditionDraft[]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

let lastKey = 0
export const newCondition = (type: ConditionType = "group"): ConditionDraft => ({
  ...{ key: ++lastKey, type, isExcluded: false, ids: [], roles: [], field: "", test: "equal", value: "" },
  ...{ after: "", before: "" },
})

/** @returns undefined if the console cannot show the condition */
function readCondition(condition: Condition): ConditionDraft | undefined {
  const inner = isObject(condition.not) ? (condition.not as Condition) : undefined
  if (inner) {
    const read = readCondition(inner)
    return read && !read.isExcluded ? { ...read, isExcluded: true } : undefined
  }
  const type = CONDITION_TYPES.find((name) => condition[name] !== undefined)
  if (!type) return undefined
  const draft = newCondition(type)
  if (type === "role") return { ...draft, roles: condition.role ?? [] }
  if (type === "joined")
    return { ...draft, after: condition.joined?.after ?? "", before: condition.joined?.before ?? "" }
  // The form separates several values by commas.
  if (condition.is === "one_of" && condition.value?.some((value) => value.includes(","))) return undefined
  if (type === "field")
    return {
      ...draft,
      field: condition.field ?? "",
      test: condition.is ?? "equal",
      value: (condition.value ?? []).join(", "),
    }
  return { ...draft, ids: condition[type] ?? [] }
}

/** @returns undefined if the console cannot show the audience */
export function readAudience(audience: Condition): AudienceDraft | undefined {
  const partsOf = (list: unknown) => (Array.isArray(list) ? (list as Condition[]) : undefined)
  let parts = partsOf(audience.all) ?? [audience]
  const isEveryone = parts.some(({ everyone }) => everyone)
  const anyOf = parts.filter(({ any }) => any)
  const [any] = anyOf
  if (anyOf.length > 1) return undefined
  parts = parts.filter((part) => part !== any && !part.everyone)
  const included = partsOf(any?.any)
  // Beside a list of alternatives, only exclusions can be shown.
  if ((included || isEveryone) && parts.some(({ not }) => not === undefined)) return undefined
  const conditions = [...(included ?? []), ...parts].map(readCondition)
  if (!conditions.every((condition) => condition !== undefined)) return undefined
  if (included && conditions.slice(0, included.length).some(({ isExcluded }) => isExcluded)) return undefined
  return { isEveryone, match: included ? "any" : "all", conditions }
}

const splitValues = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)

function writeCondition(draft: ConditionDraft): Condition {
  const { type, isExcluded, ids, roles, field, test, value, after, before } = draft
  const writes: Record<ConditionType, () => Condition> = {
    role: () => ({ role: [...roles] }),
    joined: () => ({ joined: { ...(after && { after }), ...(before && { before }) } }),
    field: () => {
      const values = test === "one_of" ? splitValues(value) : [value.trim()]
      const hasValue = test !== "empty" && test !== "not_empty"
      return { field, is: test as NonNullable<Condition["is"]>, ...(hasValue && { value: values }) }
    },
    group: () => ({ group: [...ids] }),
    portal: () => ({ portal: [...ids] }),
    category: () => ({ category: [...ids] }),
    membership: () => ({ membership: [...ids] }),
  }
  const written = writes[type]()
  return isExcluded ? { not: written as Record<string, never> } : written
}

/** People match all or any of the conditions, and none of the exclusions. */
export function writeAudience({ isEveryone, match, conditions }: AudienceDraft): Condition {
  const of = (isExcluded: boolean) =>
    conditions.filter((condition) => condition.isExcluded === isExcluded).map(writeCondition)
  const [included, excluded] = [isEveryone ? [] : of(false), of(true)]
  const people: Condition[] = isEveryone
    ? [{ everyone: true }]
    : match === "any"
      ? [{ any: included as Record<string, never>[] }]
      : included
  const [only, ...others] = [...people, ...excluded]
  if (only && others.length === 0 && (isEveryone || match === "any")) return only
  return { all: [...people, ...excluded] as Record<string, never>[] }
}
