import { boolean, courseOf, described, field, integer, object, text, time, timeOrNull, userOf } from "./fields.ts"
import { eventObject, nestedCourse, nestedObject, nestedUser } from "./object.ts"

export const assignmentRuleEvents = eventObject({
  name: "AssignmentRule",
  table: "assignment_rules",
  fields: {
    id: integer("id"),
    name: text("name"),
    active: boolean("active"),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  previous: ["name", "active"],
  // The audience, the targets and the dates change the version.
  watched: ["version"],
  types: {
    "assignment_rule.created": { meaning: "An assignment rule was created", insert: true },
    "assignment_rule.updated": { meaning: "An assignment rule changed", update: true },
    "assignment_rule.deleted": { meaning: "An assignment rule was deleted", delete: true, onlyIds: true },
  },
})

const rule = object({ id: integer("id"), name: text("name") })

/** The claim of a rule. The object is the rule. */
export const assignmentClaimEvents = eventObject({
  name: "AssignmentClaim",
  table: "assignment_claims",
  from: `FROM assignment_claims AS row
    WHERE row.rule_id = events.object_id AND row.user_id = events.user_id AND row.course_id = events.course_id`,
  fields: {
    rule: field(
      rule.schema,
      `json((
        SELECT ${rule.sql.replaceAll("row.", "rule.")} FROM assignment_rules AS rule WHERE rule.id = row.rule_id
      ))`,
      rule.read,
    ),
    user: userOf("row.user_id"),
    course: courseOf("row.course_id"),
    dueAt: described(timeOrNull("due_at"), "When the rule requires the course; null: no due date"),
  },
  objectId: (row) => `${row}.rule_id`,
  userId: "user_id",
  courseId: "course_id",
  ids: { rule: nestedObject, user: nestedUser, course: nestedCourse },
  watched: ["pending"],
  types: {
    "enrollment.assigned": {
      meaning: "A rule assigned a course to a user, who is enrolled in it",
      insert: "NOT new.pending",
      update: "old.pending AND NOT new.pending",
    },
  },
})
