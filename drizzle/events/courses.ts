import { CourseStatus, valuesOf } from "../statuses.ts"
import { choice, externalIds, integer, text, time } from "./fields.ts"
import { eventObject } from "./object.ts"

export const courseEvents = eventObject({
  name: "Course",
  table: "courses",
  fields: {
    id: integer("id"),
    name: text("name"),
    slug: text("slug"),
    status: choice(valuesOf(CourseStatus), "status"),
    estimatedMinutes: integer("estimated_minutes"),
    expiresAfterDays: integer("expires_after_days"),
    totalSeats: integer("total_seats"),
    externalIds: externalIds("course"),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  courseId: "id",
  previous: ["name", "slug", "status", "estimatedMinutes", "expiresAfterDays", "totalSeats"],
  watched: ["version"],
  types: {
    "course.created": { meaning: "A course was created", insert: true },
    "course.published": {
      meaning: "A draft of a course was published",
      update: `old.status <> '${CourseStatus.Publish}' AND new.status = '${CourseStatus.Publish}'`,
    },
    "course.updated": { meaning: "A course or its modules changed", update: true },
    "course.deleted": { meaning: "A course was deleted", delete: true, onlyIds: true },
  },
})
