import { z } from "@hono/zod-openapi"
import { getTableColumns } from "drizzle-orm"
import { users } from "../../../drizzle/schema/users.ts"
import { searchText } from "../../db/search.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import {
  boolean,
  clearable,
  email,
  id,
  keepIfNone,
  keepIfNull,
  line,
  name,
  optional,
  text,
} from "../../lib/input/input.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { userType } from "./user-types.ts"

// What is known of a user, each field told once: how it comes in when a user is created and changed, where it is kept,
// and how a user's detail answers it. The columns of the list and the export are in user-columns.ts.

const { passwordHash, searchText: index, ...columns } = getTableColumns(users)
/** What a user's detail reads: all but what no answer may hold, and what only a search looks in. */
export const userDetailFields = columns

type UserRow = Omit<typeof users.$inferSelect, "passwordHash" | "searchText">

interface UserField {
  /** The property of `users` that keeps it. */
  column: keyof UserRow
  /** How it comes in the body of a creation; none: not at all. */
  create?: z.ZodType
  /** How it comes in the body of a change. */
  change: z.ZodType
  /** How the detail answers it. */
  detail: z.ZodType
  /** A search for users looks in it: a text that is never null. */
  searched?: true
  /** What the detail answers, where it is not what is kept. */
  show?: (user: UserRow, caller: Caller) => unknown
}

/** Where a user came from: an extension, so that sources have a use. */
const userSource = () => id().openapi({ type: "integer", description: "An extension: a source of /api/user-source" })

/** Declared apart: within the table it would have the table's type. */
const internalNote = clearable(text(5000))

const userFields = {
  firstName: { column: "firstName", create: name(), change: keepIfNull(name()), detail: z.string(), searched: true },
  lastName: {
    column: "lastName",
    create: optional(line(100)),
    change: clearable(line(100), ""),
    detail: z.string(),
    searched: true,
  },
  email: { column: "email", create: email(), change: keepIfNull(email()), detail: z.string(), searched: true },
  avatar: {
    column: "avatar",
    change: clearable(text(10_000), "").openapi({
      type: ["string", "null"],
      description:
        "An image's http(s) URL or path, or vector markup, which is cut down to shapes; " +
        "initials, empty or null for the initials",
    }),
    detail: z.string(),
    show: avatarOf,
  },
  disabled: { column: "disabled", change: keepIfNone(boolean()), detail: z.boolean() },
  userType: {
    column: "userType",
    create: optional(userType()).openapi({
      type: "string",
      description:
        "An extension: general unless given. Staff gives types below staff, an admin any but owner, an owner any.",
    }),
    change: keepIfNone(userType()).openapi({ type: "string", description: "An extension; as in create" }),
    detail: z.string(),
  },
  internal_note: {
    column: "internalNote",
    change: internalNote,
    detail: z.string().nullable().openapi({ description: "For staff and above; null for others" }),
    show: (user, caller) => (canSeeAllUsers(caller) ? user.internalNote : null),
  },
  user_source_id: {
    column: "sourceId",
    create: optional(userSource()),
    change: keepIfNone(userSource()),
    detail: z.number().int().openapi({ description: "An extension: where the user came from" }),
  },
} as const satisfies Record<string, UserField>

type Fields = typeof userFields
type FieldName = keyof Fields
type Part = "create" | "change" | "detail"
type PartOf<P extends Part> = {
  [F in FieldName as Fields[F] extends { [K in P]: z.ZodType } ? F : never]: Fields[F] extends {
    [K in P]: infer Schema
  }
    ? Schema
    : never
}

/** What makes the full name, by which a user is called. */
const NAMES = new Set(["firstName", "lastName"])

const entries: [string, UserField][] = Object.entries(userFields)

/** The fields' schemas for a body or an answer, by name. */
export const userShape = <P extends Part>(part: P) =>
  Object.fromEntries(entries.flatMap(([name, field]) => (field[part] ? [[name, field[part]]] : []))) as PartOf<P>

/** The fields that a body gives, by the properties of `users` that keep them. */
export const toUserColumns = (given: object): Partial<UserRow> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const field = Object.hasOwn(userFields, name) ? userFields[name as FieldName] : undefined
      return field && value !== undefined ? [[field.column, value]] : []
    }),
  )

/** What an audit row says of a creation: the fields that it gave, but for the names, by which the row is called. */
export const toCreationDetails = (given: object) =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => Object.hasOwn(userFields, name) && value !== undefined && !NAMES.has(name),
    ),
  )

/** The fields as a user's detail answers them. */
export const toUserDetail = (user: UserRow, caller: Caller) =>
  Object.fromEntries(entries.map(([name, { column, show }]) => [name, show ? show(user, caller) : user[column]])) as {
    [F in FieldName]: z.output<Fields[F]["detail"]>
  }

const searched = entries.filter(([, field]) => field.searched).map(([, { column }]) => column)

/** Whether a change of these columns changes what a search for users looks in. */
export const isSearched = (changed: Partial<UserRow>): boolean => searched.some((column) => column in changed)

/** What a search for users looks in: the full name on one line, then the other fields. */
export const userSearchText = (user: Partial<UserRow>): string =>
  searchText(
    `${user.firstName} ${user.lastName}`,
    ...searched.filter((column) => !NAMES.has(column)).map((column) => String(user[column] ?? "")),
  )
