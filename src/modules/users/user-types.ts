import { z } from "@hono/zod-openapi"
import { word } from "../../lib/input/input.ts"

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
  userType.replace(/(^|_)(\w)/g, (_, start: string, initial: string) => `${start && " "}${initial.toUpperCase()}`)

const toUnderscores = (input: string) =>
  input
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "_")

/** A user type as clients send it: its value or its display name, ignoring case. `learner` means `general`. */
export const userType = () =>
  word(
    (input) => toUnderscores(input).replace(/^learner$/, "general"),
    z.string().regex(/^(admin|owner|staff|group_admin|general|portal_[a-z_]{1,40})$/, {
      error: "must be admin, owner, staff, group_admin, general, learner or a portal type such as portal_admin",
    }),
  ).openapi({ type: "string", example: "general" })

/** The type of portal administrators, such as `portal_admin`. */
export const portalType = () =>
  word(
    toUnderscores,
    z.string().regex(/^portal_[a-z_]{1,40}$/, { error: "must be a portal type such as portal_admin" }),
  ).openapi({ type: "string", example: "portal_admin" })
