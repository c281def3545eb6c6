import { z } from "@hono/zod-openapi"
import type { AudienceCondition } from "../../drizzle/schema/assignment-rules.ts"
import { choice, day, ids, list, nonEmpty, text } from "../lib/input/input.ts"
import { fromJson } from "../lib/text/json.ts"

// The schema of a condition on users. Its depth and size are limited, because D1 limits the parameters and the length
// of a statement.

const MAX_DEPTH = 5
const MAX_CONDITIONS = 20
const MAX_FIELD_CONDITIONS = 10
/** In all conditions together. */
const MAX_IDS = 1000
const MAX_VALUES = 100

const FIELD_TESTS = ["equal", "not_equal", "one_of", "before", "after", "empty", "not_empty"] as const

const someIds = () => nonEmpty(ids(MAX_IDS))
const role = z
  .string()
  .transform((value) =>
    value
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_"),
  )
  .transform((value) => (value === "learner" ? "general" : value))
  .pipe(
    z.string().regex(/^(admin|owner|staff|group_admin|general|portal_[a-z_]{1,40})$/, {
      error: "must be admin, owner, staff, group_admin, general, learner or a portal type such as portal_admin",
    }),
  )

const joined = z
  .object({ before: day().optional(), after: day().optional() })
  .refine(({ before, after }) => (before ?? after) !== undefined, { error: "needs before or after" })

const ONE_KEY = [
  "all",
  "any",
  "not",
  "everyone",
  "group",
  "portal",
  "role",
  "category",
  "membership",
  "joined",
] as const

/** The conditions without others in them. */
const LEAVES = {
  everyone: z.literal(true),
  group: someIds(),
  portal: someIds(),
  role: nonEmpty(list(role, 20)),
  category: someIds(),
  membership: someIds(),
  joined,
} as const

const fieldCondition = z
  .object({
    field: text(100).refine((key) => key !== "", { error: "is required" }),
    is: choice(FIELD_TESTS),
    value: z
      .preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(text(255)).max(MAX_VALUES))
      .optional(),
  })
  .superRefine(({ is, value = [] }, context) => {
    const issue = (message: string) => context.addIssue({ code: "custom", path: ["value"], message })
    if (is === "empty" || is === "not_empty") {
      if (value.length > 0) issue(`must be omitted with ${is}`)
      return
    }
    if (value.length === 0) return issue("is required")
    if (is !== "one_of" && value.length > 1) return issue(`must be one value with ${is}`)
    if ((is === "before" || is === "after") && !day().safeParse(value[0]).success)
      issue("must be a date such as 2026-01-05")
  })
  .transform(({ field, is, value = [] }) => {
    const isDate = is === "before" || is === "after"
    const values = isDate ? value.map((text) => day().parse(text)) : [...new Set(value)]
    return { field, is, ...(values.length > 0 && { value: values }) }
  })

type Path = (string | number)[]

/** The fields that a condition must not combine. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads a tree and counts its conditions. */
class Reader {
  private conditions = 0
  private fieldConditions = 0
  private ids = 0
  readonly issues: { path: Path; message: string }[] = []

  fail(path: Path, message: string): undefined {
    // The first ones are enough.
    if (this.issues.length < 20) this.issues.push({ path, message })
    return undefined
  }

  parse<T extends z.ZodType>(schema: T, value: unknown, path: Path): z.output<T> | undefined {
    const read = schema.safeParse(value)
    if (read.success) return read.data
    for (const issue of read.error.issues) this.fail([...path, ...(issue.path as Path)], issue.message)
    return undefined
  }

  read(value: unknown, path: Path, depth: number): AudienceCondition | undefined {
    if (!isObject(value)) return this.fail(path, 'must be a condition, such as {"group": [1]}')
    if (depth > MAX_DEPTH) return this.fail(path, `must be nested at most ${MAX_DEPTH} levels`)
    if (++this.conditions > MAX_CONDITIONS) {
      if (this.conditions === MAX_CONDITIONS + 1) this.fail([], `must have ${MAX_CONDITIONS} conditions or fewer`)
      return undefined
    }
    if ("field" in value) {
      if (++this.fieldConditions === MAX_FIELD_CONDITIONS + 1)
        this.fail([], `must have ${MAX_FIELD_CONDITIONS} conditions on fields or fewer`)
      return this.parse(fieldCondition, value, path) as AudienceCondition | undefined
    }
    const keys = ONE_KEY.filter((key) => key in value)
    const [key] = keys
    if (key === undefined) return this.fail(path, `must have one of ${ONE_KEY.join(", ")}, field`)
    if (keys.length > 1) return this.fail(path, `must have one of ${keys.join(", ")}; combine them with all or any`)
    const at = [...path, key]
    if (key === "all" || key === "any") return this.readMany(key, value[key], at, depth)
    if (key === "not") {
      const inner = this.read(value.not, at, depth + 1)
      return inner && { not: inner }
    }
    const leaf = this.parse(LEAVES[key], value[key], at)
    if (Array.isArray(leaf)) this.ids += leaf.length
    if (this.ids > MAX_IDS) return this.fail([], `must have ${MAX_IDS} ids or fewer`)
    return leaf === undefined ? undefined : ({ [key]: leaf } as AudienceCondition)
  }

  private readMany(key: "all" | "any", value: unknown, path: Path, depth: number): AudienceCondition | undefined {
    if (!Array.isArray(value)) return this.fail(path, "must be an array of conditions")
    if (value.length === 0 && depth > 1) return this.fail(path, "must have 1 element or more")
    if (value.length > MAX_CONDITIONS) return this.fail(path, `must have ${MAX_CONDITIONS} elements or fewer`)
    const parts = value.map((part, index) => this.read(part, [...path, index], depth + 1))
    const read = parts.filter((part) => part !== undefined)
    return { [key]: read } as AudienceCondition
  }
}

/** No condition, which matches no one. */
export const NO_ONE: AudienceCondition = { all: [] }

const ITSELF = { type: "object" as const, additionalProperties: true }

/** The entry of the OpenAPI document. It does not refer to itself, which few generators support. */
const DOCUMENTED = {
  type: "object" as const,
  properties: {
    all: { type: "array" as const, items: ITSELF, description: "All of these conditions" },
    any: { type: "array" as const, items: ITSELF, description: "At least one of these conditions" },
    not: ITSELF,
    everyone: { type: "boolean" as const, description: "true: every user" },
    group: {
      type: "array" as const,
      items: { type: "integer" as const },
    },
    portal: {
      type: "array" as const,
      items: { type: "integer" as const },
    },
    role: { type: "array" as const, items: { type: "string" as const } },
    category: {
      type: "array" as const,
      items: { type: "integer" as const },
    },
    membership: {
      type: "array" as const,
      items: { type: "integer" as const },
      description: "An active membership of these",
    },
    field: { type: "string" as const, description: "The key of a custom field, with is and value" },
    is: { type: "string" as const, enum: [...FIELD_TESTS] },
    value: {
      type: "array" as const,
      items: { type: "string" as const },
      description: "The values; a date for before and after",
    },
    joined: {
      type: "object" as const,
      properties: {
        before: { type: "string" as const, format: "date" },
        after: { type: "string" as const, format: "date" },
      },
      description: "Created on the day of after or later, and before the day of before",
    },
  },
  description:
    "A condition on users: exactly one of all, any, not, everyone, group, portal, role, category, membership, " +
    `field and joined. At most ${MAX_CONDITIONS} conditions, nested ${MAX_DEPTH} levels. ` +
    "{} has no condition, and matches no one. Disabled users never match.",
  example: { all: [{ role: ["general"] }, { field: "country", is: "one_of", value: ["Germany", "Austria"] }] },
}

/** A condition in a response. */
export const audienceAnswer = () => z.unknown().openapi("AudienceCondition", DOCUMENTED)

/** A condition on users, also as JSON. `{}` has no condition, and matches no one. */
export const audienceCondition = () =>
  z
    .preprocess(fromJson, z.unknown())
    .transform((value, context): AudienceCondition => {
      const reader = new Reader()
      const isEmpty = isObject(value) && Object.keys(value).length === 0
      const read = isEmpty ? NO_ONE : reader.read(value, [], 1)
      for (const { path, message } of reader.issues) context.addIssue({ code: "custom", path, message })
      return read ?? z.NEVER
    })
    .openapi("AudienceCondition", DOCUMENTED)
