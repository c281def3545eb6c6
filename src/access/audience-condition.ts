import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import type { AudienceCondition } from "../../drizzle/schema/assignment-rules.ts"
import { categories, userCategories } from "../../drizzle/schema/categories.ts"
import { customFields, customFieldValues } from "../../drizzle/schema/custom-fields.ts"
import { groupMembers, groups } from "../../drizzle/schema/groups.ts"
import { memberships } from "../../drizzle/schema/memberships.ts"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { users } from "../../drizzle/schema/users.ts"
import type { Database } from "../db/client.ts"
import type { Filter } from "../db/list/listing.ts"
import { rawStatement } from "../db/select.ts"
import { idList, rowExists, textList } from "../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../lib/caller.ts"
import { now } from "../lib/clock.ts"
import { invalid } from "../lib/errors.ts"
import { administersGroup, administersPortal } from "./scope.ts"

// Compiles a condition on users to SQL: a test of a row of `users`, and where an index has them, a query of the ids.

type FieldCondition = Extract<AudienceCondition, { field: string }>

/** A test of a row of `users`, and a query of all matching ids, if an index has them. */
interface Compiled {
  test: SQL
  ids?: SQL
}

/** Ids and roles are part of the statement: D1 binds at most 100 parameters. */
const inlineIds = (values: readonly number[]) => sql.raw(`(${values.map(Number).join(", ")})`)

const linked = (
  table: typeof groupMembers | typeof portalMembers | typeof userCategories,
  record: SQLWrapper,
  recordIds: number[],
): Compiled => {
  const which = sql`${record} in ${inlineIds(recordIds)}`
  return {
    test: rowExists(table, sql`${which} and ${table.userId} = ${users.id}`),
    ids: sql`select distinct ${table.userId} as id from ${table} where ${which}`,
  }
}

const usersWhere = (which: SQL) => sql`select ${users.id} as id from ${users} where ${which}`

/** A condition on columns of `users` that have an index. */
const onColumn = (which: SQL): Compiled => ({ test: which, ids: usersWhere(which) })

const NO_ONE: Compiled = { test: sql`0`, ids: usersWhere(sql`0`) }

/** The id of the field with a key; null if it was deleted. */
const fieldId = (key: string) =>
  sql`(select ${customFields.id} from ${customFields} where ${customFields.userMetaKey} collate nocase = ${key})`

/** The condition that the value `own` of a field equals `wanted`, or that its checkboxes contain it. */
const hasWanted = sql.raw(`(
  wanted.value = own.value
  or (field.type = 'checkbox' and instr(',' || own.value || ',', ',' || wanted.value || ',') > 0)
)`)

/** A field by its key, with the wanted values. */
const fieldWith = (key: string, values: string[]) => sql`
  select ${customFields.id} as id, ${customFields.type} as type,
    ${customFields.isSearchable} and ${customFields.type} <> 'checkbox' as indexed, ${JSON.stringify(values)} as wanted
  from ${customFields} where ${customFields.userMetaKey} collate nocase = ${key}`

/** Users who have one of the values: by the index of values, unless the field has none or its values are lists. */
const withValue = (key: string, values: string[]): Compiled => ({
  test: sql`exists (
    select 1 from (${fieldWith(key, values)}) as field
    join ${customFieldValues} as own on own.user_id = ${users.id} and own.field_id = field.id
    where exists (select 1 from json_each(field.wanted) as wanted where ${hasWanted})
  )`,
  ids: sql`
    with field as materialized (${fieldWith(key, values)})
    select own.user_id as id
    from field cross join json_each(field.wanted) as wanted
    cross join ${customFieldValues} as own on own.searchable and own.field_id = field.id and own.value = wanted.value
    where field.indexed
    union
    select own.user_id
    from field cross join ${customFieldValues} as own on own.field_id = field.id
    where not field.indexed and exists (select 1 from json_each(field.wanted) as wanted where ${hasWanted})`,
})

/** Users whose value matches. */
const withValueThat = (key: string, matches: SQL): Compiled => {
  const ofField = sql`${customFieldValues.fieldId} = ${fieldId(key)} and ${matches}`
  return {
    test: rowExists(customFieldValues, sql`${customFieldValues.userId} = ${users.id} and ${ofField}`),
    ids: sql`select ${customFieldValues.userId} as id from ${customFieldValues} where ${ofField}`,
  }
}

/** Users who do not match, while the field exists. */
const withFieldBut = (key: string, { test }: Compiled): Compiled => ({
  test: sql`(${fieldId(key)} is not null and not ${test})`,
})

function compileField({ field, is, value = [] }: FieldCondition): Compiled {
  const [first = ""] = value
  switch (is) {
    case "equal":
    case "one_of":
      return withValue(field, value)
    case "not_equal":
      return withFieldBut(field, withValue(field, value))
    case "before":
      return withValueThat(field, sql`${customFieldValues.value} < ${first}`)
    case "after":
      return withValueThat(field, sql`${customFieldValues.value} >= ${first}`)
    case "empty":
      return withFieldBut(field, withValueThat(field, sql`1`))
    case "not_empty":
      return withValueThat(field, sql`1`)
  }
}

/** The users of the first part that an index has, tested for the others. */
function compileAll(parts: Compiled[]): Compiled {
  const first = parts.find(({ ids }) => ids)
  const others = parts.filter((part) => part !== first).map(({ test }) => test)
  const all = (tests: SQL[]) => sql.join(tests, sql` and `)
  return {
    test: sql`(${all(parts.map(({ test }) => test))})`,
    ...(first?.ids && {
      ids: others.length === 0 ? first.ids : usersWhere(sql`${users.id} in (${first.ids}) and ${all(others)}`),
    }),
  }
}

function compileAny(parts: Compiled[]): Compiled {
  // D1 allows few terms of a union, but any number of conditions, each with its index.
  const ids = parts.flatMap((part) => (part.ids ? [sql`${users.id} in (${part.ids})`] : []))
  return {
    test: sql`(${sql.join(
      parts.map(({ test }) => test),
      sql` or `,
    )})`,
    ...(ids.length === parts.length && { ids: usersWhere(sql.join(ids, sql` or `)) }),
  }
}

const dayStart = (date: string) => sql.raw(String(Date.parse(date)))

function compile(condition: AudienceCondition): Compiled {
  if ("all" in condition) return condition.all.length === 0 ? NO_ONE : compileAll(condition.all.map(compile))
  if ("any" in condition) return condition.any.length === 0 ? NO_ONE : compileAny(condition.any.map(compile))
  if ("not" in condition) return { test: sql`not ${compile(condition.not).test}` }
  if ("everyone" in condition) return { test: sql`1` }
  if ("group" in condition) return linked(groupMembers, groupMembers.groupId, condition.group)
  if ("portal" in condition) return linked(portalMembers, portalMembers.portalId, condition.portal)
  if ("category" in condition) return linked(userCategories, userCategories.categoryId, condition.category)
  // The schema allows only letters and underscores.
  if ("role" in condition)
    return onColumn(sql`${users.userType} in ${sql.raw(`(${condition.role.map((role) => `'${role}'`).join(", ")})`)}`)
  if ("membership" in condition)
    return onColumn(sql`(
      ${users.membershipId} is not null and ${users.membershipId} in ${inlineIds(condition.membership)}
      and (${users.membershipExpiresAt} is null or ${users.membershipExpiresAt} > ${sql.raw(String(now()))})
    )`)
  if ("joined" in condition) {
    const { after, before } = condition.joined
    return onColumn(sql`(
      ${users.createdAt} >= ${after ? dayStart(after) : sql`0`}
      and ${users.createdAt} < ${before ? dayStart(before) : sql`9e15`}
    )`)
  }
  return compileField(condition)
}

/** The enabled users who match a condition. */
export function matchesAudience(condition: AudienceCondition): Filter {
  const { test, ids } = compile(condition)
  const isEnabled = sql`${users.disabled} = 0`
  return {
    test: sql`(${isEnabled} and ${test})`,
    ...(ids && { ids: usersWhere(sql`${users.id} in (${ids}) and ${isEnabled}`) }),
  }
}

/** What a condition refers to. */
interface References {
  group: number[]
  portal: number[]
  category: number[]
  membership: number[]
  field: string[]
  /** Fields whose values are compared as dates. */
  dateField: string[]
}

const KINDS = ["group", "portal", "category", "membership"] as const

function referencesOf(condition: AudienceCondition): References {
  const found: References = { group: [], portal: [], category: [], membership: [], field: [], dateField: [] }
  const visit = (part: AudienceCondition): void => {
    if ("all" in part) for (const inner of part.all) visit(inner)
    else if ("any" in part) for (const inner of part.any) visit(inner)
    else if ("not" in part) visit(part.not)
    else if ("field" in part) {
      found.field.push(part.field)
      if (part.is === "before" || part.is === "after") found.dateField.push(part.field)
    } else
      for (const kind of KINDS) if (kind in part) found[kind].push(...((part as Record<string, number[]>)[kind] ?? []))
  }
  visit(condition)
  return found
}

const missingIds = (ids: number[], isKnown: (id: SQLWrapper) => SQL) => sql`(
  select json_group_array(value) from ${idList(ids)} where not ${isKnown(sql`value`)}
)`
const missingFields = (keys: string[], further: SQL) => sql`(
  select json_group_array(value) from ${textList(keys)} where not exists (
    select 1 from ${customFields} where ${customFields.userMetaKey} collate nocase = value and ${further}
  )
)`

const REFERENCES = {
  group: "groups",
  portal: "portals",
  category: "user categories",
  membership: "memberships",
  field: "custom fields",
  dateField: "date fields",
} as const
export type MissingReferences = Record<keyof typeof REFERENCES, string>

/**
 * Checks what a condition refers to: a statement for the first round trip, and the check of its rows, which throws 422
 * and names what does not exist or is not visible to the caller.
 * @param dateFields the key of the field that a due date counts from, which must be a date
 */
export function checkAudience(
  db: Database,
  caller: Caller,
  condition: AudienceCondition,
  { dateFields = [] }: { dateFields?: string[] } = {},
) {
  const wanted = referencesOf(condition)
  wanted.dateField.push(...dateFields)
  const seesAll = canSeeAllUsers(caller)
  const isGroup = (id: SQLWrapper) =>
    seesAll ? rowExists(groups, sql`${groups.id} = ${id}`) : administersGroup(caller, id)
  const isPortal = (id: SQLWrapper) =>
    seesAll ? rowExists(portals, sql`${portals.id} = ${id}`) : administersPortal(caller, id)
  const isCategory = (id: SQLWrapper) =>
    rowExists(
      categories,
      sql`${categories.id} = ${id} and ${categories.type} = 'user' and ${categories.deletedAt} is null`,
    )
  const isMembership = (id: SQLWrapper) => rowExists(memberships, sql`${memberships.id} = ${id}`)
  return {
    statement: rawStatement<MissingReferences>(
      db,
      sql`select ${missingIds(wanted.group, isGroup)} as "group",
        ${missingIds(wanted.portal, isPortal)} as "portal",
        ${missingIds(wanted.category, isCategory)} as "category",
        ${missingIds(wanted.membership, isMembership)} as "membership",
        ${missingFields(wanted.field, sql`1`)} as "field",
        ${missingFields(wanted.dateField, sql`${customFields.type} = 'date'`)} as "dateField"`,
    ),
    /** @param stored what the record refers to already, which is not checked again */
    verify([missing]: MissingReferences[], stored?: { condition: AudienceCondition; dateFields: string[] }) {
      if (!missing) return
      const before = stored && referencesOf(stored.condition)
      if (stored) before?.dateField.push(...stored.dateFields)
      const parts = Object.entries(REFERENCES).flatMap(([kind, plural]) => {
        const values = JSON.parse(missing[kind as keyof MissingReferences]) as (number | string)[]
        const unknown = values.filter(
          (value) => !(before?.[kind as keyof References] as unknown[] | undefined)?.includes(value),
        )
        const [ofDueDate] = unknown.filter((key) => dateFields.includes(String(key)))
        if (kind === "dateField" && ofDueDate !== undefined)
          throw invalid("due", `due.field refers to no date field: ${ofDueDate}.`)
        return unknown.length > 0 ? [`${plural} ${[...new Set(unknown)].join(", ")}`] : []
      })
      if (parts.length > 0) throw invalid("audience", `audience refers to unknown ${parts.join("; ")}.`)
    },
  }
}
