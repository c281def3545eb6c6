import { boolean, externalIdsOf, integer, membershipOf, nullable, text, time, timeOrNull } from "./fields.ts"
import { eventObject } from "./object.ts"

export const userEvents = eventObject({
  name: "User",
  table: "users",
  fields: {
    id: integer("id"),
    firstName: text("first_name"),
    lastName: text("last_name"),
    email: text("email"),
    userType: text("user_type"),
    disabled: boolean("disabled"),
    sourceId: integer("source_id"),
    membershipId: nullable(integer("membership_id")),
    membership: nullable(membershipOf("row.membership_id")),
    membershipExpiresAt: timeOrNull("membership_expires_at"),
    externalIds: externalIdsOf("user"),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  userId: "id",
  previous: [
    ...["firstName", "lastName", "email", "userType", "disabled", "sourceId", "membershipId", "membershipExpiresAt"],
  ],
  // Avatars, notes, custom fields and categories change the version.
  watched: ["version"],
  // An erasure has its own event, without the earlier values.
  updatedIf: "NOT (new.email <> old.email AND new.email = 'erased-' || new.id || '@erased.invalid')",
  groupIds: "(SELECT json_group_array(group_id) FROM group_members WHERE user_id = old.id)",
  types: {
    "user.created": { meaning: "An account was created", insert: true },
    "user.disabled": { meaning: "A user was disabled", update: "NOT old.disabled AND new.disabled" },
    "user.enabled": { meaning: "A user was enabled", update: "old.disabled AND NOT new.disabled" },
    "user.role_changed": { meaning: "A user got another user type", update: "old.user_type <> new.user_type" },
    "user.email_changed": { meaning: "A user's email address changed", update: "old.email <> new.email" },
    "membership.given": {
      meaning: "A user got a membership",
      update: "old.membership_id IS NULL AND new.membership_id IS NOT NULL",
    },
    "membership.ended": {
      meaning: "A user lost their membership",
      update: "old.membership_id IS NOT NULL AND new.membership_id IS NULL",
    },
    "membership.changed": {
      meaning: "A user got another membership, or another end of it",
      update: `old.membership_id <> new.membership_id
      OR old.membership_id IS NOT NULL AND old.membership_expires_at IS NOT new.membership_expires_at`,
    },
    "user.updated": { meaning: "Another field of a user changed", update: true },
    "user.deleted": { meaning: "A user was deleted, with their memberships of groups", delete: true, onlyIds: true },
  },
})

/** The account stays, without personal data. */
export const erasureEvents = eventObject({
  name: "ErasedUser",
  table: "erasures",
  from: "FROM users AS row WHERE row.id = events.object_id",
  fields: userEvents.fields,
  objectId: (row) => `${row}.user_id`,
  userId: "user_id",
  types: {
    "user.erased": { meaning: "A user was erased: delete what you store about them", insert: true },
  },
})
