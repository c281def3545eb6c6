import { z } from "@hono/zod-openapi"
import { USER_EXISTS } from "./enrollments.ts"
import { badgeOf, field, integer, nullable, object, text, time, timeOrNull, userOf } from "./fields.ts"
import { eventObject, nestedUser, plainObject } from "./object.ts"

const { schema, sql, read } = object({
  id: nullable(integer("course_id")),
  name: text("course_name"),
})

export const certificateEvents = eventObject({
  name: "Certificate",
  table: "certificates",
  fields: {
    id: integer("id"),
    code: text("code"),
    user: userOf("row.user_id"),
    course: field(schema.openapi({ description: "As of the issue; `id` is null if it was deleted" }), sql, read),
    registrationId: nullable(integer("enrollment_id")),
    classRegistrationId: nullable(integer("class_enrollment_id")),
    issuedAt: time("issued_at"),
    expiresAt: timeOrNull("expires_at"),
    revokedAt: timeOrNull("revoked_at"),
    updatedAt: time("updated_at"),
  },
  userId: "user_id",
  courseId: "course_id",
  // The course may have been deleted before the event.
  ids: { id: plainObject, user: nestedUser },
  previous: ["issuedAt", "expiresAt", "revokedAt"],
  watched: ["expiry_state"],
  types: {
    "certificate.issued": { meaning: "A user earned a certificate", insert: true },
    "certificate.revoked": {
      meaning: "A certificate was revoked",
      update: "old.revoked_at = 0 AND new.revoked_at > 0",
    },
    "certificate.expiring": {
      meaning: "A certificate expires within 30 days",
      update: "old.expiry_state = 0 AND new.expiry_state = 1",
    },
    "certificate.expired": {
      meaning: "A certificate expired",
      update: "old.expiry_state < 2 AND new.expiry_state = 2",
    },
    "certificate.updated": { meaning: "The date or the expiry of a certificate changed", update: true },
  },
})

export const awardEvents = eventObject({
  name: "Award",
  table: "gamification_awards",
  fields: {
    id: integer("id"),
    user: userOf("row.user_id"),
    badge: nullable(badgeOf("row.badge_id")),
    points: integer("points"),
    cause: field(z.string().openapi({ description: "`course:7`, `quiz:7`, …; `hand`: awarded manually" }), "row.cause"),
    awardedBy: nullable(integer("awarded_by")),
    awardedAt: time("awarded_at"),
  },
  userId: "user_id",
  parent: USER_EXISTS,
  types: {
    "badge.awarded": { meaning: "A user got a badge", insert: "new.badge_id IS NOT NULL" },
    "points.awarded": { meaning: "A user got points without a badge", insert: "new.badge_id IS NULL" },
  },
})
