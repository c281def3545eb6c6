import type { Context } from "hono"
import { type core, type ZodError, z } from "zod"
import { type ApiError, invalidFields, malformed, notFound } from "../lib/errors.ts"
import { bodyMembers } from "../lib/web/body.ts"

const plural = (count: number | bigint, unit: string) => `${count} ${unit}${Number(count) === 1 ? "" : "s"}`
const UNITS: Record<string, string> = { string: "character", array: "element", file: "byte" }
const KINDS: Record<string, string> = {
  object: "an object",
  record: "an object",
  array: "an array",
  number: "a number",
  boolean: "true or false",
  string: "text",
}
const FORMATS: Record<string, string> = { email: "an email address", url: "a URL", uuid: "a UUID" }

/** The message for an issue, to follow the field's name: "is required", "must be 8 characters or more". */
function explain(issue: core.$ZodRawIssue): string {
  const missing = issue.input === undefined || issue.input === null
  switch (issue.code) {
    case "invalid_type":
      if (missing) return "is required"
      if (issue.expected === "int") return "must be a whole number"
      return `must be ${KINDS[issue.expected] ?? issue.expected}`
    case "invalid_value":
      if (missing) return "is required"
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`
    case "too_small": {
      const unit = UNITS[issue.origin]
      if (unit && issue.minimum === 1 && issue.origin === "string") return "is required"
      if (unit) return `must have ${plural(issue.minimum, unit)} or more`
      return issue.minimum === 0 && !issue.inclusive ? "must be greater than 0" : `must be ${issue.minimum} or more`
    }
    case "too_big": {
      const unit = UNITS[issue.origin]
      return unit ? `must have ${plural(issue.maximum, unit)} or fewer` : `must be ${issue.maximum} or less`
    }
    case "invalid_format":
      return `must be ${FORMATS[issue.format] ?? `in the format ${issue.format}`}`
    case "invalid_union": {
      const options = new Set(issue.errors.flatMap(([first]) => (first ? [first.message] : [])))
      const expected = [...options].map((message) => message.replace(/^must be /, ""))
      return missing ? "is required" : `must be ${expected.join(" or ")}`
    }
    default:
      return "has an unsupported value"
  }
}
z.config({ customError: explain })

/** Throws the error for an invalid input: 404 for a path id, 400 for a body that is not an object, else 422. */
export async function validationHook(result: { success: boolean; target: string; error?: ZodError }, c: Context) {
  if (result.success || !result.error) return
  if (result.target === "param") throw notFound()
  const { issues } = result.error
  if (result.target === "json" && issues.some((issue) => issue.path.length === 0 && issue.code === "invalid_type"))
    throw malformed("The body must be a JSON object.")
  throw fieldErrors(result.error, result.target === "json" ? Object.keys(await bodyMembers(c)) : [])
}

/** The number of reported errors: a large body can have a hundred thousand. */
const MAX_REPORTED_ERRORS = 100

/**
 * 422 with messages by field.
 * @param sentNames the names that the caller sent, so that fields have the caller's spelling
 */
export function fieldErrors(error: core.$ZodError, sentNames: string[] = []): ApiError {
  const spelled = ([first = "body", ...rest]: PropertyKey[]) => {
    const name = String(first)
    const sent = sentNames.includes(name) ? name : sentNames.find((key) => key.toLowerCase() === name.toLowerCase())
    return [sent ?? name, ...rest].join(".")
  }
  const errors = new Map<string, Set<string>>()
  for (const issue of error.issues.slice(0, MAX_REPORTED_ERRORS)) {
    const field = spelled(issue.path)
    const messages = errors.get(field) ?? new Set()
    errors.set(field, messages.add(`${field} ${issue.message}.`))
  }
  return invalidFields(
    Object.fromEntries([...errors].map(([field, messages]) => [field, [...messages]])),
    Math.max(0, error.issues.length - MAX_REPORTED_ERRORS),
  )
}
