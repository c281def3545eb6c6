import type { Context } from "hono"
import { readJson } from "../../lib/text/json.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { refTo, withMeta } from "./scim-http.ts"
import { readUser, requireSchema } from "./scim-input.ts"
import { CUSTOM_SCHEMA, LECTERN_SCHEMA, USER_SCHEMA } from "./scim-names.ts"
import { createScimApp } from "./scim-operation.ts"
import { patchUser } from "./scim-patch.ts"
import { scimResource } from "./scim-resource.ts"
import * as schemas from "./scim-schemas.ts"
import {
  createScimUser,
  deleteScimUser,
  getScimUser,
  listScimUsers,
  type ScimUserRow,
  updateScimUser,
} from "./scim-users.queries.ts"

export const scimUsers = createScimApp()

type C = Context<AppEnv>

/** A user as responses have it. */
function toResource(c: C, row: ScimUserRow) {
  const custom = readJson(row.custom) as Record<string, string>
  const portals = readJson(row.portals) as { value: string; display: string; type: "learner" | "admin" }[]
  const groups = row.groups === null ? undefined : (readJson(row.groups) as { value: string; display: string }[])
  const hasCustom = Object.keys(custom).length > 0
  return withMeta(c, "User", row, {
    schemas: [USER_SCHEMA, ...(hasCustom ? [CUSTOM_SCHEMA] : []), ...(portals.length > 0 ? [LECTERN_SCHEMA] : [])],
    id: String(row.id),
    ...(row.externalId !== null && { externalId: row.externalId }),
    userName: row.email,
    name: {
      formatted: `${row.firstName} ${row.lastName}`.trim(),
      givenName: row.firstName,
      familyName: row.lastName,
    },
    displayName: row.displayName,
    active: !row.disabled,
    emails: [{ value: row.email, type: "work" as const, primary: true as const }],
    ...(groups && { groups: groups.map((group) => ({ ...group, $ref: refTo(c, "Group", group.value) })) }),
    ...(hasCustom && { [CUSTOM_SCHEMA]: custom }),
    ...(portals.length > 0 && { [LECTERN_SCHEMA]: { portals } }),
  })
}

scimResource(scimUsers, {
  name: "User",
  noun: "user",
  descriptions: {
    list: "Filters, sorting and pages as in RFC 7644. Users that the provider deleted are not listed.",
    create: "Sends no email. A user that the provider deleted before is enabled again.",
    read: "Returns an ETag; `If-None-Match` returns 304 while the user is the same.",
    replace:
      "externalId and displayName are removed if they are missing. Custom fields and portals that are missing stay.",
    update: "`active: false` ends the person's sessions and deletes the API keys that they created.",
    delete:
      "Disables the account, ends the person's sessions, deletes the API keys that they created, and hides the user " +
      "from SCIM. Enrollments and certificates stay.",
  },
  body: schemas.userBody,
  response: schemas.userResource,
  list: schemas.listOf(schemas.userResource).openapi("ScimUserList"),
  toResource,
  readBody: (body) => {
    requireSchema(body, USER_SCHEMA)
    return readUser(body)
  },
  readPatch: patchUser,
  findPage: listScimUsers,
  find: getScimUser,
  create: (c, user) => createScimUser(c.var.work, baseUrl(c), user),
  update: (c, id, changes, version) => updateScimUser(c.var.work, baseUrl(c), id, changes, version),
  remove: (c, id, version) => deleteScimUser(c.var.work, baseUrl(c), id, version),
})
