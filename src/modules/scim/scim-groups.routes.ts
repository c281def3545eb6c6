import type { Context } from "hono"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { expectedVersion } from "../../lib/web/etag.ts"
import {
  createScimGroup,
  deleteScimGroup,
  getScimGroup,
  listScimGroups,
  type ScimGroupRow,
  updateScimGroup,
} from "./scim-groups.queries.ts"
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
import { readExternalId, readGroupName, readMembers, requireSchema } from "./scim-input.ts"
import { GROUP_SCHEMA, type Json, member } from "./scim-names.ts"
import { describeScim } from "./scim-openapi.ts"
import { patchGroup, readOperations } from "./scim-patch.ts"
import { project } from "./scim-projection.ts"
import * as schemas from "./scim-schemas.ts"

export const scimGroups = createScimApp()

type C = Context<AppEnv>

/** A group as responses have it. */
const toResource = (c: C, row: ScimGroupRow) =>
  withMeta(c, "Group", row, {
    schemas: [GROUP_SCHEMA],
    id: String(row.id),
    ...(row.externalId !== null && { externalId: row.externalId }),
    displayName: row.name,
    ...(row.members && {
      members: row.members.map(({ id, name }) => ({
        value: String(id),
        display: name,
        type: "User" as const,
        $ref: refTo(c, "User", id),
      })),
    }),
  })

async function answer(c: C, row: ScimGroupRow, status: 200 | 201 = 200) {
  const resource = toResource(c, row)
  return resourceAnswer(c, resource, project(resource, await queryOf(c, schemas.resourceQuery)), status)
}

/** A group as a POST or PUT sends it: what is missing is removed. */
function readGroup(body: Json) {
  requireSchema(body, GROUP_SCHEMA)
  return {
    name: readGroupName(member(body, "displayName")),
    externalId: readExternalId(member(body, "externalId")),
    user_ids: readMembers(member(body, "members")),
  }
}

const LIST = { method: "get", path: "/Groups", operationId: "listScimGroups" } as const
describeScim(scimGroups, LIST, {
  summary: "List groups",
  description: "Groups of more than 1,000 members are listed without them.",
  query: schemas.scimListQuery,
  answer: schemas.listOf(schemas.groupResource).openapi("ScimGroupList"),
})
mount(scimGroups, LIST, async (c) => {
  const query = await queryOf(c, schemas.scimListQuery)
  const { rows, recordsFiltered } = await listScimGroups(c.var.work, query)
  const resources = rows.map((row) => project(toResource(c, row), query))
  return scimListResponse(c, recordsFiltered, query.startIndex, resources)
})

const CREATE = { method: "post", path: "/Groups", operationId: "createScimGroup" } as const
describeScim(scimGroups, CREATE, {
  summary: "Create a group",
  description: "Members that are no user's id are skipped.",
  query: schemas.resourceQuery,
  body: schemas.groupBody,
  answer: schemas.groupResource,
  status: 201,
})
mount(scimGroups, CREATE, async (c) => {
  const { externalId, ...group } = readGroup(await bodyOf(c))
  return answer(c, await createScimGroup(c.var.work, { ...group, ...(externalId !== null && { externalId }) }), 201)
})

const READ = { method: "get", path: "/Groups/{id}", operationId: "getScimGroup" } as const
describeScim(scimGroups, READ, {
  summary: "Retrieve a group",
  description: "With all members. `excludedAttributes=members` saves reading them.",
  query: schemas.resourceQuery,
  answer: schemas.groupResource,
})
mount(scimGroups, READ, async (c) => {
  const projection = await queryOf(c, schemas.resourceQuery)
  return answer(c, await getScimGroup(c.var.work, idOf(c), projection))
})

const REPLACE = { method: "put", path: "/Groups/{id}", operationId: "replaceScimGroup" } as const
describeScim(scimGroups, REPLACE, {
  summary: "Replace a group",
  description: "The members are replaced; without `members` the group is empty.",
  query: schemas.resourceQuery,
  body: schemas.groupBody,
  answer: schemas.groupResource,
})
mount(scimGroups, REPLACE, async (c) =>
  answer(c, await updateScimGroup(c.var.work, idOf(c), readGroup(await bodyOf(c)), expectedVersion(c))),
)

const PATCH = { method: "patch", path: "/Groups/{id}", operationId: "updateScimGroup" } as const
describeScim(scimGroups, PATCH, {
  summary: "Update a group",
  description: "Adds and removes single members without sending the others.",
  query: schemas.resourceQuery,
  body: schemas.patchBody,
  answer: schemas.groupResource,
})
mount(scimGroups, PATCH, async (c) => {
  const changes = patchGroup(readOperations(await bodyOf(c)))
  return answer(c, await updateScimGroup(c.var.work, idOf(c), changes, expectedVersion(c)))
})

const DELETE = { method: "delete", path: "/Groups/{id}", operationId: "deleteScimGroup" } as const
describeScim(scimGroups, DELETE, {
  summary: "Delete a group",
  description: "The members stay. A large group is deleted by a background job.",
})
mount(scimGroups, DELETE, async (c) => {
  await deleteScimGroup(c.var.work, idOf(c))
  return c.body(null, 204)
})
