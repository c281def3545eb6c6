import { z } from "@hono/zod-openapi"
import { audienceCondition } from "../../access/audience-condition.schema.ts"
import { changedResponse } from "../../http/crud.ts"
import { password } from "../../lib/crypto/password.ts"
import { changedExternalId, externalIdAnswer, externalIdFilter, newExternalId } from "../../lib/input/external-id.ts"
import {
  boolean,
  email,
  id,
  ids,
  keepIfNone,
  optional,
  requiredIds,
  requiredText,
  text,
} from "../../lib/input/input.ts"
import {
  exportBody,
  listQuery,
  listResponse,
  optionalPaging,
  searchPortalIds,
  updatedSince,
} from "../../lib/input/list-query.ts"
import { isoSchema, isoSchemaOrNull } from "../../lib/spreadsheet/columns.ts"
import { fromJson } from "../../lib/text/json.ts"
import { customUserMeta, metaValues } from "./custom-fields.schemas.ts"
import { userColumns } from "./user-columns.ts"
import { userShape } from "./user-fields.ts"
import { userType } from "./user-types.ts"

export const userTypes = z.array(z.object({ db_value: z.string(), display_name: z.string() }))

/** The filters of the user list and of its export. */
const filters = {
  search: {
    nameOrEmail: optional(text(254)),
    membershipId: optional(id()),
    userCategoryId: optional(ids()),
    userType: optional(userType()),
    courseCategoryIds: optional(ids()),
    courseName: optional(text(100)),
    updatedSince: updatedSince(),
    email: optional(email()).openapi({
      type: "string",
      format: "email",
      description: "An extension: exactly this address, in any case",
    }),
    audience: optional(audienceCondition()),
  },
  beside: {
    searchPortalIds: searchPortalIds(),
    customFields: optional(z.preprocess(fromJson, z.record(z.string().max(100), z.string().max(255)))).openapi({
      type: "object",
      additionalProperties: { type: "string" },
      description: "An extension: exactly these values of searchable custom fields, by key",
      example: { employee_number: "1043" },
      param: { required: false, style: "deepObject", explode: true },
    }),
    ...externalIdFilter(),
  },
}

export const userListQuery = listQuery(Object.keys(userColumns.sort), filters.search).extend(filters.beside)

/** The body that starts the users export. */
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
    description: "Accepted for older clients; the search always runs on the server",
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
        .openapi({ description: "As in the filter, except that learners have learner", example: "learner" }),
    }),
  ),
})

export const saveViewTypeQuery = z.object({ userId: id(), type: requiredText(50) })

export const viewTypeQuery = z.object({
  userId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Defaults to the caller" }),
})

export const viewType = z.object({
  userId: z.number().int(),
  type: z.string().nullable().openapi({ description: "As saved by saveViewType; null: never saved" }),
})

/** Runs a check even if other fields are invalid, so that one response reports all errors. */
const always = { when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null }

/** A password needs its confirmation. Without one, a request that sends no email either is incomplete. */
const needsConfirmation = (input: {
  sendInvitation?: boolean | undefined
  notify?: boolean | undefined
  password?: string | undefined
}) => !input.sendInvitation && (input.password !== undefined || input.notify === undefined)

export const newUser = z
  .object({
    ...userShape("create"),
    ...newExternalId(),
    password: optional(password()).openapi({
      type: "string",
      format: "password",
      description: "Required unless sendInvitation is true, which excludes it, or notify is sent",
    }),
    password_confirmation: optional(z.string()).openapi({
      type: "string",
      format: "password",
      description: "Required with password; must be equal to it",
    }),
    sendInvitation: optional(boolean()).openapi({
      type: "boolean",
      description: "An extension: true creates the user without a password and emails them a one-time link to set one",
    }),
    notify: optional(boolean()).openapi({
      type: "boolean",
      description:
        "An extension: whether the user gets an email. With it, password is optional: true invites a user without a " +
        "password to set one; false sends nothing, such as for users who sign in with single sign-on",
    }),
    userCategory: optional(ids()),
    customUserMetas: metaValues(),
  })
  .refine((input) => input.sendInvitation || input.notify !== undefined || input.password !== undefined, {
    path: ["password"],
    error: "is required",
    ...always,
  })
  .refine((input) => !(input.sendInvitation && input.notify === false), {
    path: ["notify"],
    error: "must not be false with sendInvitation",
  })
  .refine((input) => !needsConfirmation(input) || input.password_confirmation !== undefined, {
    path: ["password_confirmation"],
    error: "is required",
    ...always,
  })
  .refine((input) => !input.sendInvitation || input.password === undefined, {
    path: ["password"],
    error: "must be omitted with sendInvitation: the user sets it",
    ...always,
  })
  .refine((input) => input.sendInvitation || input.password === input.password_confirmation, {
    path: ["password_confirmation"],
    error: "must match password",
  })
  .openapi("NewUser", {
    example: { firstName: "Ada", lastName: "Byron", email: "ada.byron@example.com", sendInvitation: true },
  })

type NewUserInput = z.output<typeof newUser>
export type NewUser = Pick<NewUserInput, "firstName" | "email"> & Partial<NewUserInput>

export const userDetail = z
  .object({
    id: z.number().int(),
    ...userShape("detail"),
    ...externalIdAnswer(),
    lastLoggedIn: z.string(),
    lastLoginAt: isoSchemaOrNull(),
    createdAt: isoSchema(),
    updatedAt: isoSchema(),
    currentLoggedUserType: z.string().openapi({ description: "The calling user's type; anonymous without a session" }),
    membership: z
      .object({
        id: z.number().int(),
        name: z.string(),
        expiryDate: z.string().nullable(),
        expiresAt: isoSchemaOrNull(),
      })
      .nullable(),
    customUserMetas: z.record(z.string(), customUserMeta),
    pendingEmail: z
      .string()
      .nullable()
      .openapi({
        description:
          "An extension: the caller's own new email address that is not yet confirmed by the link that was sent " +
          "to it; otherwise null",
      }),
  })
  .openapi("User")

const currentPassword = () =>
  optional(z.string().max(1000)).openapi({
    type: "string",
    format: "password",
    description:
      "An extension: the caller's current password. For changes of the caller's own email address or password it is " +
      "required with a session cookie, and with a bearer token if REQUIRE_CURRENT_PASSWORD is on; otherwise it is " +
      "checked if present. Ten wrong passwords in 15 minutes block sign-in to the account",
  })

/** The caller's current password in both spellings. */
const currentPasswords = () => ({ current_password: currentPassword(), currentPassword: currentPassword() })
export const currentPasswordOf = (input: {
  current_password?: string | undefined
  currentPassword?: string | undefined
}) => input.current_password ?? input.currentPassword

export const userChanges = z
  .object({
    ...userShape("change"),
    ...changedExternalId(),
    lastLoggedIn: z
      .unknown()
      .optional()
      .openapi({ type: "string", description: "Ignored; older clients send it back" }),
    pendingEmail: z
      .unknown()
      .optional()
      .openapi({ type: ["string", "null"], description: "Ignored; to change the request, send another email" }),
    userCategory: keepIfNone(ids()),
    customUserMetas: metaValues(),
    ...currentPasswords(),
  })
  .openapi("UserChanges")

export type UserChanges = Partial<z.output<typeof userChanges>>

export const newPassword = z
  .object({
    password: password(),
    confirmPassword: optional(z.string().max(1000)).openapi({ type: "string", format: "password" }),
    userId: optional(id()),
    ...currentPasswords(),
  })
  .refine((input) => input.confirmPassword === undefined || input.password === input.confirmPassword, {
    path: ["confirmPassword"],
    error: "must match password",
  })

export type NewPassword = z.output<typeof newPassword>

export const userDeletion = z.object({ delete_ids: requiredIds(), user_id: optional(id()) })
export type UserDeletion = z.output<typeof userDeletion>

const namedRecord = z.object({ id: z.number().int(), name: z.string() })
const usedIn = z
  .record(z.string(), z.array(namedRecord))
  .openapi({ description: "Records, grouped by the user's name" })

export const userDeletionAnswer = changedResponse.extend({
  deletedStudents: z.array(namedRecord),
  notDeletedStudents: z.array(namedRecord),
  usedInCourses: usedIn,
  usedAsCourseAuthors: usedIn,
  usedAsModuleAuthors: usedIn,
  usedAsInstructors: usedIn.openapi({
    description: "Classes with the name of their course, grouped by the user's name",
  }),
  usedInPortals: usedIn,
})
