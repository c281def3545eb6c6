import { z } from "@hono/zod-openapi"
import {
  bool,
  clearable,
  email,
  id,
  ids,
  jsonObject,
  kept,
  keptText,
  line,
  name,
  optional,
  requiredIds,
  requiredText,
  text,
} from "../../lib/input/input.ts"
import { envelope, listQuery, optionalPaging } from "../../lib/input/list-query.ts"
import { password } from "../../lib/secrets/password.ts"
import { customUserMeta, metaValues } from "./custom-fields.schemas.ts"

/** User types and their names, as the lookup gives them. */
export const USER_TYPES = [
  { db_value: "admin", display_name: "Admin" },
  { db_value: "owner", display_name: "Owner" },
  { db_value: "staff", display_name: "Staff" },
  { db_value: "group_admin", display_name: "Group Admin" },
  { db_value: "general", display_name: "Learner" },
] as const

/** `Group Admin` for group_admin, `Portal Admin` for portal_admin. */
export const displayUserType = (userType: string): string =>
  USER_TYPES.find((type) => type.db_value === userType)?.display_name ??
  userType.replace(/(^|_)(\w)/g, (_, start: string, letter: string) => `${start && " "}${letter.toUpperCase()}`)

const userType = () =>
  z
    .string()
    .regex(/^(admin|owner|staff|group_admin|general|learner|portal_[a-z_]{1,40})$/, {
      error: "must be admin, owner, staff, group_admin, general, learner or a portal type such as portal_admin",
    })
    .transform((value) => (value === "learner" ? "general" : value))
    .openapi({ type: "string", example: "general" })

export const userTypes = z.array(z.object({ db_value: z.string(), display_name: z.string() }))

export const USER_COLUMNS = [
  "id",
  "first_name",
  "last_name",
  "email",
  "user_type",
  "display_user_type",
  "display_type",
  "is_disabled",
  "created_at",
  "last_login",
  "avatar",
] as const

export const userListQuery = listQuery(USER_COLUMNS, {
  nameOrEmail: optional(text(254)),
  membershipId: optional(id()),
  userCategoryId: optional(ids()),
  userType: optional(userType()),
  courseCategoryIds: optional(ids()),
  courseName: optional(text(100)),
})

/** The initiate body of the users export. */
export const userExport = z.object({
  searchPortalIds: optional(ids()).openapi({
    type: "array",
    items: { type: "integer", minimum: 1 },
    description: "Only members of any of these portals",
  }),
  search_param: jsonObject(
    z.object({
      nameOrEmail: optional(text(254)),
      membershipId: optional(id()),
      userCategoryId: optional(ids()),
    }),
  ),
})
export type UserExport = z.output<typeof userExport>

export const userRow = z
  .object({
    id: z.number().int(),
    first_name: z.string(),
    last_name: z.string(),
    is_disabled: z.boolean(),
    email: z.string(),
    avatar: z.string().openapi({ description: "Initials, vector markup or an image's URL" }),
    user_type: z.string(),
    display_user_type: z.string(),
    display_type: z.string(),
    created_at: z.string().openapi({ example: "Jan 05, 2026" }),
    last_login: z.string().openapi({ example: "3 days ago" }),
    source: z.string(),
    portals: z.string().openapi({ description: "Names, separated by commas" }),
    user_category: z.string().openapi({ description: "Names, separated by commas" }),
  })
  .openapi("UserRow")

export const userList = envelope(userRow)

export const usersByTypeQuery = z.object({
  ...optionalPaging,
  userType: optional(userType()),
  portalId: optional(id()),
})

export const usersByType = z.object({
  records: z.array(
    z.object({ id: z.number().int(), name: z.string().openapi({ example: "Ada Byron (ada@example.com)" }) }),
  ),
})

export const userLookupQuery = z.object({
  ...optionalPaging,
  search_term: optional(text(254)),
  portalId: optional(id()),
  userType: optional(userType()),
  remote_user_search: optional(bool()).openapi({
    type: "boolean",
    description: "Taken for older clients; the search always runs on the server",
  }),
})

export const userLookup = z.object({
  records: z.array(
    z.object({
      id: z.number().int(),
      full_name: z.string(),
      email: z.string(),
      user_type: z
        .string()
        .openapi({ description: "As the filter takes it; a learner's is learner", example: "learner" }),
    }),
  ),
})

export const saveViewTypeQuery = z.object({ userId: id(), type: requiredText(50) })

export const viewTypeQuery = z.object({
  userId: optional(id()).openapi({ type: "integer", minimum: 1, description: "The caller unless given" }),
})

export const viewType = z.object({
  userId: z.number().int(),
  type: z.string().nullable().openapi({ description: "As saveViewType kept it; null: never saved" }),
})

/** Where a user came from: an extension, so that sources have a use. */
const userSource = () => id().openapi({ type: "integer", description: "An extension: a source of /api/user-source" })

export const newUser = z
  .object({
    firstName: name(),
    lastName: optional(line(100)),
    email: email(),
    password: password(),
    password_confirmation: z.string().openapi({ format: "password" }),
    userCategory: optional(ids()),
    customUserMetas: metaValues(),
    user_source_id: optional(userSource()),
    userType: optional(userType()).openapi({
      type: "string",
      description:
        "An extension: general unless given. Staff gives types below staff, an admin any but owner, an owner any.",
    }),
  })
  .refine((input) => input.password === input.password_confirmation, {
    path: ["password_confirmation"],
    error: "must be the same as password",
  })
  .openapi("NewUser")

export type NewUser = z.output<typeof newUser>

export const userDetail = z
  .object({
    id: z.number().int(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    lastLoggedIn: z.string(),
    avatar: z.string(),
    disabled: z.boolean(),
    userType: z.string(),
    currentLoggedUserType: z.string().openapi({ description: "The calling user's type; anonymous without a session" }),
    membership: z.object({ id: z.number().int(), name: z.string(), expiryDate: z.string().nullable() }).nullable(),
    customUserMetas: z.record(z.string(), customUserMeta),
    internal_note: z.string().nullable().openapi({ description: "For staff and above; null for others" }),
    user_source_id: z.number().int().openapi({ description: "An extension: where the user came from" }),
  })
  .openapi("User")

/** The caller's own password, where it changes its own address or password. */
const currentPassword = () =>
  optional(z.string().max(1000)).openapi({
    type: "string",
    format: "password",
    description:
      "An extension, for pages that ask for it: where callers change their own e-mail address or password, their password as it is. Checked when given; ten wrong ones in 15 minutes close the account's sign-in",
  })

export const userChanges = z
  .object({
    firstName: keptText(name()),
    lastName: clearable(line(100), ""),
    email: keptText(email()),
    lastLoggedIn: z
      .unknown()
      .optional()
      .openapi({ type: "string", description: "Read back by older clients; never written" }),
    avatar: clearable(text(10_000), "").openapi({
      type: ["string", "null"],
      description:
        "An image's http(s) URL or path, or vector markup, which is cut down to shapes; initials, empty or null for the initials",
    }),
    disabled: kept(bool()),
    internal_note: clearable(text(5000)),
    userCategory: kept(ids()),
    customUserMetas: metaValues(),
    user_source_id: kept(userSource()),
    current_password: currentPassword(),
    userType: kept(userType()).openapi({ type: "string", description: "An extension; as in create" }),
  })
  .openapi("UserChanges")

export type UserChanges = z.output<typeof userChanges>

export const newPassword = z
  .object({
    password: password(),
    confirmPassword: optional(z.string().max(1000)).openapi({ type: "string", format: "password" }),
    userId: optional(id()),
    current_password: currentPassword(),
  })
  .refine((input) => input.confirmPassword === undefined || input.password === input.confirmPassword, {
    path: ["confirmPassword"],
    error: "must be the same as password",
  })

export type NewPassword = z.output<typeof newPassword>

export const userDeletion = z.object({ delete_ids: requiredIds(), user_id: optional(id()) })
export type UserDeletion = z.output<typeof userDeletion>

const named = z.object({ id: z.number().int(), name: z.string() })
const usedIn = z.record(z.string(), z.array(named)).openapi({ description: "Records by the user's name" })

export const userDeletionAnswer = z.object({
  message: z.string(),
  deletedStudents: z.array(named),
  notDeletedStudents: z.array(named),
  usedInCourses: usedIn,
  usedAsCourseAuthors: usedIn,
  usedAsModuleAuthors: usedIn,
  usedAsInstructors: usedIn.openapi({ description: "Classes, by their course's name" }),
  usedInPortals: usedIn,
})

const enrolIn = (description: string) =>
  optional(ids()).openapi({ type: "array", items: { type: "integer" }, description })

export const quickEdit = z.object({
  user_ids: requiredIds(),
  disabled: bool(),
  course_ids: enrolIn("Courses to enrol them in"),
  learning_path_ids: enrolIn("Learning paths to enrol them in, with their courses"),
  enrollMembershipId: optional(id()).openapi({ type: "integer", description: "A membership to give them" }),
  portalId: optional(id()).openapi({ type: "integer", description: "Only members of this portal are touched" }),
})
export type QuickEdit = z.output<typeof quickEdit>
