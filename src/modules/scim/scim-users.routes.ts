import type { Context } from "hono"
import { readJson } from "../../lib/text/json.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { expectedVersion } from "../../lib/web/etag.ts"
import {
  bodyOf,
  createScimApp,
  idOf,
  mount,
  queryOf,
  refTo,
  resourceAnswer,
  scimListResponse,
  withMeta,
} from "./scim-http.ts"
import { readUser, requireSchema } from "./scim-input.ts"
import { CUSTOM_SCHEMA, USER_SCHEMA } from "./scim-names.ts"
import { describeScim } from "./scim-openapi.ts"
import { patchUser, readOperations } from "./scim-patch.ts"
import { project } from "./scim-projection.ts"
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
  const groups = row.groups === null ? undefined : (readJson(row.groups) as { value: string; display: string }[])
  const hasCustom = Object.keys(custom).length > 0
  return withMeta(c, "User", row, {
    schemas: [USER_SCHEMA, ...(hasCustom ? [CUSTOM_SCHEMA] : [])],
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
  })
}

async function answer(c: C, row: ScimUserRow, status: 200 | 201 = 200) {
  const resource = toResource(c, row)
  return resourceAnswer(c, resource, project(resource, await queryOf(c, schemas.resourceQuery)), status)
}

const LIST = { method: "get", path: "/Users", operationId: "listScimUsers" } as const
describeScim(scimUsers, LIST, {
  summary: "List users",
  description: "Filters, sorting and pages as in RFC 7644. Users that the provider deleted are not listed.",
  query: schemas.scimListQuery,
  answer: schemas.listOf(schemas.userResource).openapi("ScimUserList"),
})
mount(scimUsers, LIST, async (c) => {
  const query = await queryOf(c, schemas.scimListQuery)
  const { rows, recordsFiltered } = await listScimUsers(c.var.work, query)
  const resources = rows.map((row) => project(toResource(c, row), query))
  return scimListResponse(c, recordsFiltered, query.startIndex, resources)
})

const CREATE = { method: "post", path: "/Users", operationId: "createScimUser" } as const
describeScim(scimUsers, CREATE, {
  summary: "Create a user",
  description: "Sends no email. A user that the provider deleted before is enabled again.",
  query: schemas.resourceQuery,
  body: schemas.userBody,
  answer: schemas.userResource,
  status: 201,
})
mount(scimUsers, CREATE, async (c) => {
  const body = await bodyOf(c)
  requireSchema(body, USER_SCHEMA)
  return answer(c, await createScimUser(c.var.work, baseUrl(c), readUser(body)), 201)
})

const READ = { method: "get", path: "/Users/{id}", operationId: "getScimUser" } as const
describeScim(scimUsers, READ, {
  summary: "Retrieve a user",
  description: "Returns an ETag; `If-None-Match` returns 304 while the user is the same.",
  query: schemas.resourceQuery,
  answer: schemas.userResource,
})
mount(scimUsers, READ, async (c) => {
  const projection = await queryOf(c, schemas.resourceQuery)
  return answer(c, await getScimUser(c.var.work, idOf(c), projection))
})

const REPLACE = { method: "put", path: "/Users/{id}", operationId: "replaceScimUser" } as const
describeScim(scimUsers, REPLACE, {
  summary: "Replace a user",
  description: "externalId and displayName are removed if they are missing. Custom fields that are missing stay.",
  query: schemas.resourceQuery,
  body: schemas.userBody,
  answer: schemas.userResource,
})
mount(scimUsers, REPLACE, async (c) => {
  const body = await bodyOf(c)
  requireSchema(body, USER_SCHEMA)
  return answer(c, await updateScimUser(c.var.work, baseUrl(c), idOf(c), readUser(body), expectedVersion(c)))
})

const PATCH = { method: "patch", path: "/Users/{id}", operationId: "updateScimUser" } as const
describeScim(scimUsers, PATCH, {
  summary: "Update a user",
  description: "`active: false` ends the person's sessions and deletes the API keys that they created.",
  query: schemas.resourceQuery,
  body: schemas.patchBody,
  answer: schemas.userResource,
})
mount(scimUsers, PATCH, async (c) => {
  const changes = patchUser(readOperations(await bodyOf(c)))
  return answer(c, await updateScimUser(c.var.work, baseUrl(c), idOf(c), changes, expectedVersion(c)))
})

const DELETE = { method: "delete", path: "/Users/{id}", operationId: "deleteScimUser" } as const
describeScim(scimUsers, DELETE, {
  summary: "Delete a user",
  description:
    "Disables the account, ends the person's sessions, deletes the API keys that they created, and hides the user " +
    "from SCIM. Enrollments and certificates stay.",
})
mount(scimUsers, DELETE, async (c) => {
  await deleteScimUser(c.var.work, baseUrl(c), idOf(c), expectedVersion(c))
  return c.body(null, 204)
})
