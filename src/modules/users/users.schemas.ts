import { z } from "@hono/zod-openapi"
import { changedResponse } from "../../http/crud.ts"
import { password } from "../../lib/crypto/password.ts"
import { boolean, id, ids, keepIfNone, optional, requiredIds, requiredText, text } from "../../lib/input/input.ts"
import { exportBody, listQuery, listResponse, optionalPaging, searchPortalIds } from "../../lib/input/list-query.ts"
import { customUserMeta, metaValues } from "./custom-fields.schemas.ts"
import { userColumns } from "./user-columns.ts"
import { userShape } from "./user-fields.ts"
import { userType } from "./user-types.ts"

export const userTypes = z.array(z.object({ db_value: z.string(), display_name: z.string() }))

/** What narrows the users list, and its export. */
const filters = {
  search: {
    nameOrEmail: optional(text(254)),
    membershipId: optional(id()),
    userCategoryId: optional(ids()),
    userType: optional(userType()),
    courseCategoryIds: optional(ids()),
    courseName: optional(text(100)),
  },
  beside: { searchPortalIds: searchPortalIds() },
}

export const userListQuery = listQuery(Object.keys(userColumns.sort), filters.search).extend(filters.beside)

/** The initiate body of the users export. */
export const userExport = exportBody(filters)
export type UserFilters = z.output<typeof userExport>

export const userList = listResponse(userColumns.row.openapi("UserRow"))

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
  remote_user_search: optional(boolean()).openapi({
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

/** What is checked of a new user's password even where other fields are at fault, so that all are named at once. */
const always = { when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null }

export const newUser = z
  .object({
    ...userShape("create"),
    password: optional(password()).openapi({
      type: "string",
      format: "password",
      description: "Required, unless sendInvitation is true: then it is left out",
    }),
    password_confirmation: optional(z.string()).openapi({
      type: "string",
      format: "password",
      description: "Required with password, and the same",
    }),
    sendInvitation: optional(boolean()).openapi({
      type: "boolean",
      description:
        "An extension: true creates the user without a password, and mails them a one-time link to choose one",
    }),
    userCategory: optional(ids()),
    customUserMetas: metaValues(),
  })
  .refine((input) => input.sendInvitation || input.password !== undefined, {
    path: ["password"],
    error: "is required",
    ...always,
  })
  .refine((input) => input.sendInvitation || input.password_confirmation !== undefined, {
    path: ["password_confirmation"],
    error: "is required",
    ...always,
  })
  .refine((input) => !input.sendInvitation || input.password === undefined, {
    path: ["password"],
    error: "is not taken with sendInvitation: the user chooses it",
    ...always,
  })
  .refine((input) => input.sendInvitation || input.password === input.password_confirmation, {
    path: ["password_confirmation"],
    error: "must be the same as password",
  })
  .openapi("NewUser", {
    example: { firstName: "Ada", lastName: "Byron", email: "ada.byron@example.com", sendInvitation: true },
  })

export type NewUser = z.output<typeof newUser>

export const userDetail = z
  .object({
    id: z.number().int(),
    ...userShape("detail"),
    lastLoggedIn: z.string(),
    currentLoggedUserType: z.string().openapi({ description: "The calling user's type; anonymous without a session" }),
    membership: z.object({ id: z.number().int(), name: z.string(), expiryDate: z.string().nullable() }).nullable(),
    customUserMetas: z.record(z.string(), customUserMeta),
    pendingEmail: z
      .string()
      .nullable()
      .openapi({
        description:
          "An extension: the address that callers asked for in place of their own, which counts once they open " +
          "the link that was mailed to it. null for none, and for everybody else",
      }),
  })
  .openapi("User")

const currentPassword = () =>
  optional(z.string().max(1000)).openapi({
    type: "string",
    format: "password",
    description:
      "An extension: the caller's present password. Where callers change their own email address or password, it is " +
      "required with a session cookie, and with a bearer token where REQUIRE_CURRENT_PASSWORD is on; else it is " +
      "checked when given. Ten wrong ones in 15 minutes close the account's sign-in",
  })

/** The caller's present password, in either spelling. */
const currentPasswords = () => ({ current_password: currentPassword(), currentPassword: currentPassword() })
export const currentPasswordOf = (input: {
  current_password?: string | undefined
  currentPassword?: string | undefined
}) => input.current_password ?? input.currentPassword

export const userChanges = z
  .object({
    ...userShape("change"),
    lastLoggedIn: z
      .unknown()
      .optional()
      .openapi({ type: "string", description: "Read back by older clients; never written" }),
    pendingEmail: z
      .unknown()
      .optional()
      .openapi({ type: ["string", "null"], description: "Read back; never written: send another email instead" }),
    userCategory: keepIfNone(ids()),
    customUserMetas: metaValues(),
    ...currentPasswords(),
  })
  .openapi("UserChanges")

export type UserChanges = z.output<typeof userChanges>

export const newPassword = z
  .object({
    password: password(),
    confirmPassword: optional(z.string().max(1000)).openapi({ type: "string", format: "password" }),
    userId: optional(id()),
    ...currentPasswords(),
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

export const userDeletionAnswer = changedResponse.extend({
  deletedStudents: z.array(named),
  notDeletedStudents: z.array(named),
  usedInCourses: usedIn,
  usedAsCourseAuthors: usedIn,
  usedAsModuleAuthors: usedIn,
  usedAsInstructors: usedIn.openapi({ description: "Classes, by their course's name" }),
  usedInPortals: usedIn,
})
