import { type SQL, sql } from "drizzle-orm"
import { type Filter as Expression, parse } from "scim2-parse-filter"
import type { Filter } from "../../db/list/listing.ts"
import { parseMoment } from "../../lib/text/dates.ts"
import { scimError } from "../../lib/web/scim-error.ts"
import { type AttributePath, attributePath } from "./scim-names.ts"

// Converts SCIM filters (RFC 7644, section 3.4.2.2) to SQL.

/** The SQL of an attribute, and how its values compare. */
export interface Attribute {
  value: SQL
  type: "text" | "exact" | "boolean" | "time" | "id"
  /** The ids of the records with this value, on an index: for `eq`. */
  ids?: (value: string | number) => SQL
  /** Of an attribute with several values: the condition that one of them is this. `value` is one of them. */
  includes?: (value: string | number) => SQL
}

/** Finds the attribute that a path names; undefined: the resource does not have it. */
export type ScimAttributes = (path: AttributePath) => Attribute | undefined

/** A statement binds at most 100 values, and a condition may occur in it several times. */
const MAX_CONDITIONS = 15
/** Nested `not` and brackets: SQLite limits the depth of expressions. */
const MAX_DEPTH = 20

const invalidFilter = (detail: string) => scimError("invalidFilter", detail)

const COMPARISONS: Record<string, SQL> = {
  eq: sql.raw("="),
  ne: sql.raw("<>"),
  gt: sql.raw(">"),
  ge: sql.raw(">="),
  lt: sql.raw("<"),
  le: sql.raw("<="),
}

const isTrue = (value: unknown) => value === true || (typeof value === "string" && value.toLowerCase() === "true")
const isFalse = (value: unknown) => value === false || (typeof value === "string" && value.toLowerCase() === "false")

/** The value to compare with. @throws 400 */
function operandOf({ type }: Attribute, path: string, value: unknown): string | number {
  if (type === "boolean") {
    if (isTrue(value)) return 1
    if (isFalse(value)) return 0
    throw invalidFilter(`${path} must be compared with true or false.`)
  }
  if (type === "id") return /^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : 0
  if (type !== "time") return String(value)
  const at = typeof value === "string" ? parseMoment(value)?.at : undefined
  if (at === undefined) throw invalidFilter(`${path} must be compared with a date in ISO 8601.`)
  return at
}

/** Positions of a text in another one, regardless of case unless the attribute is exact. */
function textCondition(op: string, { value, type }: Attribute, operand: string): SQL {
  const [whole, part] = type === "exact" ? [value, sql`${operand}`] : [sql`lower(${value})`, sql`lower(${operand})`]
  if (op === "co") return sql`instr(${whole}, ${part}) > 0`
  if (op === "sw") return sql`substr(${whole}, 1, length(${part})) = ${part}`
  return sql`(length(${part}) <= length(${whole}) and substr(${whole}, -length(${part})) = ${part})`
}

function comparison(attribute: Attribute, path: string, op: string, given: unknown): SQL {
  const { value, type } = attribute
  // `eq null` means that the attribute has no value.
  if (given === null) return op === "ne" ? sql`${value} is not null` : sql`${value} is null`
  const isText = type === "text" || type === "exact"
  if (["co", "sw", "ew"].includes(op)) {
    if (!isText) throw invalidFilter(`${op} is not available for ${path}.`)
    if (String(given) === "") return sql`${value} is not null`
    return textCondition(op, attribute, String(given))
  }
  const operator = COMPARISONS[op]
  if (!operator || (type === "boolean" && op !== "eq" && op !== "ne"))
    throw invalidFilter(`${op} is not available for ${path}.`)
  const operand = operandOf(attribute, path, given)
  if (attribute.includes) {
    if (op === "eq") return attribute.includes(operand)
    throw invalidFilter(`${op} is not available for ${path}.`)
  }
  const compared = type === "text" ? sql`${value} collate nocase` : value
  // An attribute without a value is different from every value.
  return op === "ne" ? sql`(${compared} is not ${operand})` : sql`(${compared} ${operator} ${operand})`
}

class Conversion {
  private readonly attributes: ScimAttributes
  private conditions = 0

  constructor(attributes: ScimAttributes) {
    this.attributes = attributes
  }

  private attribute(path: string): Attribute {
    const found = this.attributes(attributePath(path))
    if (!found) throw invalidFilter(`${path} is not an attribute that filters can use.`)
    return found
  }

  /** @param prefix the attribute whose values a value path filters: `emails.` in `emails[type eq "work"]` */
  condition(expression: Expression, prefix = "", depth = 0): SQL {
    if (depth > MAX_DEPTH) throw invalidFilter(`The filter is nested more than ${MAX_DEPTH} levels.`)
    const inner = (one: Expression) => this.condition(one, prefix, depth + 1)
    switch (expression.op) {
      case "and":
      case "or":
        return sql`(${sql.join(expression.filters.map(inner), sql.raw(` ${expression.op} `))})`
      case "not":
        return sql`not coalesce(${inner(expression.filter)}, 0)`
      case "[]":
        return this.condition(expression.valFilter, `${prefix}${expression.attrPath}.`, depth + 1)
      default: {
        if (++this.conditions > MAX_CONDITIONS)
          throw invalidFilter(`The filter has more than ${MAX_CONDITIONS} conditions.`)
        const path = `${prefix}${expression.attrPath}`
        const attribute = this.attribute(path)
        if (expression.op !== "pr") return comparison(attribute, path, expression.op, expression.compValue)
        return sql`(${attribute.value} is not null and ${attribute.value} <> '')`
      }
    }
  }

  /** The filters of a list: one for each part of a conjunction, those with an index first. */
  filters(expression: Expression): Filter[] {
    if (expression.op === "and")
      return expression.filters
        .flatMap((one) => this.filters(one))
        .sort((a, b) => Number(b.ids !== undefined) - Number(a.ids !== undefined))
    const test = this.condition(expression)
    if (expression.op !== "eq" || expression.compValue === null) return [{ test }]
    const attribute = this.attribute(expression.attrPath)
    const ids = attribute.ids?.(operandOf(attribute, expression.attrPath, expression.compValue))
    return [{ test, ...(ids && { ids }) }]
  }
}

/** The filters of a list for a SCIM filter. @throws 400 `invalidFilter` */
export function scimFilters(filter: string | undefined, attributes: ScimAttributes): Filter[] {
  if (filter === undefined || filter.trim() === "") return []
  const conversion = new Conversion(attributes)
  return conversion.filters(parsed(filter))
}

function parsed(filter: string): Expression {
  try {
    return parse(filter)
  } catch {
    throw invalidFilter('The filter is invalid. Example: userName eq "ada@example.com"')
  }
}
