import { z } from "@hono/zod-openapi"
import { word } from "../../lib/input/input.ts"

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

const underscored = (given: string) =>
  given
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "_")

/** A user type as callers give it: its value or its display name, in any case. `learner` is `general`. */
export const userType = () =>
  word(
    (given) => underscored(given).replace(/^learner$/, "general"),
    z.string().regex(/^(admin|owner|staff|group_admin|general|portal_[a-z_]{1,40})$/, {
      error: "must be admin, owner, staff, group_admin, general, learner or a portal type such as portal_admin",
    }),
  ).openapi({ type: "string", example: "general" })

/** The type of a portal's administrators, as `userType`. */
export const portalType = () =>
  word(
    underscored,
    z.string().regex(/^portal_[a-z_]{1,40}$/, { error: "must be a portal type such as portal_admin" }),
  ).openapi({ type: "string", example: "portal_admin" })
