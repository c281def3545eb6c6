import type { Context } from "hono"
import type { AppEnv } from "../../lib/web/app-env.ts"
import {
  createScimGroup,
  deleteScimGroup,
  getScimGroup,
  listScimGroups,
  type ScimGroupRow,
  updateScimGroup,
} from "./scim-groups.queries.ts"
import { refTo, withMeta } from "./scim-http.ts"
import { readExternalId, readGroupName, readMembers, requireSchema } from "./scim-input.ts"
import { GROUP_SCHEMA, type Json, member } from "./scim-names.ts"
import { createScimApp } from "./scim-operation.ts"
import { patchGroup } from "./scim-patch.ts"
import { scimResource } from "./scim-resource.ts"
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

/** A group as a POST or PUT sends it: what is missing is removed. */
function readGroup(body: Json) {
  requireSchema(body, GROUP_SCHEMA)
  return {
    name: readGroupName(member(body, "displayName")),
    externalId: readExternalId(member(body, "externalId")),
    user_ids: readMembers(member(body, "members")),
  }
}

scimResource(scimGroups, {
  name: "Group",
  noun: "group",
  descriptions: {
    list: "Groups of more than 1,000 members are listed without them.",
    create: "Members that are no user's id are skipped.",
    read: "With all members. `excludedAttributes=members` saves reading them.",
    replace: "The members are replaced; without `members` the group is empty.",
    update: "Adds and removes single members without sending the others.",
    delete: "The members stay. A large group is deleted by a background job.",
  },
  body: schemas.groupBody,
  response: schemas.groupResource,
  list: schemas.listOf(schemas.groupResource).openapi("ScimGroupList"),
  toResource,
  readBody: readGroup,
  readPatch: patchGroup,
  findPage: listScimGroups,
  find: getScimGroup,
  create: (c, { externalId, ...group }) =>
    createScimGroup(c.var.work, { ...group, ...(externalId !== null && { externalId }) }),
  update: (c, id, changes, version) => updateScimGroup(c.var.work, id, changes, version),
  remove: (c, id) => deleteScimGroup(c.var.work, id),
})
