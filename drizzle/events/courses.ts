import { z } from "@hono/zod-openapi"
import { CourseStatus, valuesOf } from "../statuses.ts"
import { choice, externalIdsOf, field, integer, text, time } from "./fields.ts"
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
    externalIds: externalIdsOf("course"),
    moduleIds: field(
      z.array(z.number().int()).openapi({ description: "The modules of the course, in their order" }),
      `json((SELECT json_group_array(module_id) FROM (
        SELECT module_id FROM course_modules WHERE course_id = row.id ORDER BY position
      )))`,
    ),
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
