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
  language,
  line,
  name,
  optional,
  text,
  timeZone,
} from "../../lib/input/input.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { userType } from "./user-types.ts"

// Each field of a user is declared once: its schemas for create, change and detail, its column, and its display. The
// columns of the list and the export are in user-columns.ts.

const { passwordHash, searchText: index, ...columns } = getTableColumns(users)
/** All columns except the password hash and the search text. */
export const userDetailFields = columns

type UserRow = Omit<typeof users.$inferSelect, "passwordHash" | "searchText">

interface UserField {
  /** The column of `users` that stores it. */
  column: keyof UserRow
  /** The schema in the body of a create request, if it has the field. */
  create?: z.ZodType
  /** The schema in the body of an update. */
  change: z.ZodType
  /** The schema in a user's detail. */
  detail: z.ZodType
  /** Whether the user search covers it; requires a text that is never null. */
  searched?: true
  /** The value in the detail, if it differs from the column. */
  show?: (user: UserRow, caller: Caller) => unknown
}

const userSource = () => id().openapi({ type: "integer", description: "An extension: the id of a user source" })

/** Declared separately: inside the table it would get the type of the table. */
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
        "An http(s) URL or path of an image, or SVG markup, which is reduced to shapes; " +
        "initials, empty or null: the initials",
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
        "An extension. Defaults to general. Staff can set types below staff, admins any except owner, owners any.",
    }),
    change: keepIfNone(userType()).openapi({ type: "string", description: "An extension; see createUser" }),
    detail: z.string(),
  },
  internal_note: {
    column: "internalNote",
    change: internalNote,
    detail: z.string().nullable().openapi({ description: "Visible to staff and above; null for other callers" }),
    show: (user, caller) => (canSeeAllUsers(caller) ? user.internalNote : null),
  },
  timeZone: {
    column: "timeZone",
    create: optional(timeZone()).openapi({ type: "string", description: "An extension: an IANA time zone" }),
    change: clearable(timeZone()).openapi({
      type: ["string", "null"],
      example: "Europe/Madrid",
      description: "An extension: an IANA time zone; null: the academy's",
    }),
    detail: z.string().nullable().openapi({ description: "An extension: null: the academy's" }),
  },
  language: {
    column: "language",
    create: optional(language()).openapi({ type: "string", description: "An extension: the language of emails" }),
    change: clearable(language()).openapi({
      type: ["string", "null"],
      example: "pt-BR",
      description: "An extension: the language of emails, as a BCP 47 tag; null: the academy's",
    }),
    detail: z.string().nullable().openapi({ description: "An extension: null: the academy's" }),
  },
  user_source_id: {
    column: "sourceId",
    create: optional(userSource()),
    change: keepIfNone(userSource()),
    detail: z.number().int().openapi({ description: "An extension: the id of the user source" }),
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

/** The fields of the full name, which is the name of the user in audit rows. */
const NAMES = new Set(["firstName", "lastName"])

const entries: [string, UserField][] = Object.entries(userFields)

/** The schemas of the fields for a request body or a response, by name. */
export const userShape = <P extends Part>(part: P) =>
  Object.fromEntries(entries.flatMap(([name, field]) => (field[part] ? [[name, field[part]]] : []))) as PartOf<P>

/** Maps the fields of a request body to columns of `users`. */
export const toUserColumns = (input: object): Partial<UserRow> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const field = Object.hasOwn(userFields, name) ? userFields[name as FieldName] : undefined
      return field && value !== undefined ? [[field.column, value]] : []
    }),
  )

/** The fields of a create request for the details of its audit row, without the name that the row already has. */
export const toCreationDetails = (input: object) =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => Object.hasOwn(userFields, name) && value !== undefined && !NAMES.has(name),
    ),
  )

/** The fields as a user's detail shows them. */
export const toUserDetail = (user: UserRow, caller: Caller) =>
  Object.fromEntries(entries.map(([name, { column, show }]) => [name, show ? show(user, caller) : user[column]])) as {
    [F in FieldName]: z.output<Fields[F]["detail"]>
  }

const searched = entries.filter(([, field]) => field.searched).map(([, { column }]) => column)

/** Whether changed columns affect the search text of the user. */
export const affectsSearchText = (changed: Partial<UserRow>): boolean => searched.some((column) => column in changed)

/** The search text of a user: the full name on one line, then the other searched fields. */
export const userSearchText = (user: Partial<UserRow>): string =>
  searchText(
    `${user.firstName} ${user.lastName}`,
    ...searched.filter((column) => !NAMES.has(column)).map((column) => String(user[column] ?? "")),
  )
