import { PortalStatus, valuesOf } from "../statuses.ts"
import { choice, externalIdsOf, field, integer, nullable, object, text, time, timeOrNull, userOf } from "./fields.ts"
import { eventObject, nestedObject, nestedUser } from "./object.ts"

export const groupEvents = eventObject({
  name: "Group",
  table: "groups",
  fields: {
    id: integer("id"),
    name: text("name"),
    externalIds: externalIdsOf("group"),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  previous: ["name"],
  // Seats and external ids change the version; so do members, whose events follow.
  watched: ["version"],
  types: {
    "group.created": { meaning: "A group was created", insert: true },
    "group.updated": { meaning: "A group or its members changed", update: true },
    "group.deleted": { meaning: "A group was deleted", delete: true, onlyIds: true },
  },
})

export const portalEvents = eventObject({
  name: "Portal",
  table: "portals",
  fields: {
    id: integer("id"),
    name: text("name"),
    slug: text("slug"),
    status: choice(valuesOf(PortalStatus), "status"),
    userType: text("user_type"),
    totalSeat: integer("total_seat"),
    parentPortalId: nullable(integer("parent_portal_id")),
    expiresAt: timeOrNull("expires_at"),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  previous: ["name", "slug", "status", "userType", "totalSeat", "parentPortalId", "expiresAt"],
  watched: ["version"],
  types: {
    "portal.created": { meaning: "A portal was created", insert: true },
    "portal.updated": { meaning: "A portal changed", update: true },
    "portal.deleted": { meaning: "A portal was deleted", delete: true, onlyIds: true },
  },
})

/** The members or administrators of groups and portals. The object is the group or portal. */
const membersOf = (kind: "group" | "portal", table: string) => {
  const { schema, sql, read } = object({ id: integer("id"), name: text("name") })
  return {
    table,
    from: `FROM ${kind}s AS row JOIN users AS person ON person.id = events.user_id WHERE row.id = events.object_id`,
    fields: { [kind]: field(schema, sql, read), user: userOf("events.user_id") },
    objectId: (row: "old" | "new") => `${row}.${kind}_id`,
    userId: "user_id",
    ids: { [kind]: nestedObject, user: nestedUser },
    parent: `EXISTS (SELECT 1 FROM ${kind}s WHERE id = old.${kind}_id)
      AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id)`,
  }
}

export const groupMemberEvents = eventObject({
  name: "GroupMember",
  ...membersOf("group", "group_members"),
  types: {
    "group.member_added": { meaning: "A user joined a group", insert: true },
    "group.member_removed": { meaning: "A user left a group", delete: true },
  },
})

export const groupAdminEvents = eventObject({
  name: "GroupAdmin",
  ...membersOf("group", "group_admins"),
  types: {
    "group.admin_added": { meaning: "A user became an administrator of a group", insert: true },
    "group.admin_removed": { meaning: "A user is no longer an administrator of a group", delete: true },
  },
})

export const portalMemberEvents = eventObject({
  name: "PortalMember",
  ...membersOf("portal", "portal_members"),
  types: {
    "portal.member_added": { meaning: "A learner joined a portal", insert: "new.role <> 'admin'" },
    "portal.admin_added": { meaning: "A user became an administrator of a portal", insert: "new.role = 'admin'" },
    "portal.member_removed": { meaning: "A learner left a portal", delete: "old.role <> 'admin'" },
    "portal.admin_removed": {
      meaning: "A user is no longer an administrator of a portal",
      delete: "old.role = 'admin'",
    },
  },
})
