import { SEQUENCES } from "../schema/system.ts"
import { EnrollmentStatus, ModuleStatus } from "../statuses.ts"

/** Columns that other rows limit but do not determine. */
export interface LimitedColumns {
  table: string
  columns: string[]
  /** A query of the keys (`key`) of the rows that violate the rule. */
  broken: string
}

export const limitedColumns: LimitedColumns[] = [
  {
    table: "enrollments",
    columns: ["percent", "status", "started_at", "completed_at", "last_accessed_at", "time_spent"],
    broken: `
    SELECT own.id AS key
    FROM enrollments AS own JOIN courses ON courses.id = own.course_id
      LEFT JOIN (
        SELECT enrollment_id, sum(time_spent) AS seconds, max(last_accessed_at) AS last
        FROM module_statuses
        GROUP BY 1
      ) AS state ON state.enrollment_id = own.id
    WHERE own.percent NOT BETWEEN min(100, coalesce(own.done * 100 / nullif(courses.goal, 0), 0)) AND 100
      OR (own.status <> '${EnrollmentStatus.Completed}'
        AND courses.goal > 0 AND own.done >= courses.goal AND own.done > 0)
      OR (own.status <> '${EnrollmentStatus.NotStarted}' AND own.started_at = 0)
      OR (own.status = '${EnrollmentStatus.Completed}') <> (own.completed_at > 0)
      OR own.last_accessed_at < coalesce(state.last, 0)
      OR own.time_spent < coalesce(state.seconds, 0)`,
  },
  {
    table: "learning_path_enrollments",
    columns: ["percent", "status", "started_at", "completed_at"],
    broken: `
    SELECT own.id AS key
    FROM learning_path_enrollments AS own JOIN learning_paths AS path ON path.id = own.learning_path_id
    WHERE own.percent NOT BETWEEN min(100, own.completed_courses * 100 / max(1, path.course_count)) AND 100
      OR (own.status <> '${EnrollmentStatus.Completed}'
        AND path.course_count > 0 AND own.completed_courses >= path.course_count)
      OR (own.status <> '${EnrollmentStatus.NotStarted}' AND own.started_at = 0)
      OR (own.status = '${EnrollmentStatus.Completed}') <> (own.completed_at > 0)`,
  },
  {
    // The leaderboard adds the points of sign-ins later, and never more than there are.
    table: "user_scores",
    columns: ["login_points"],
    broken: `
    SELECT own.user_id AS key
    FROM user_scores AS own JOIN users ON users.id = own.user_id
    WHERE own.login_points NOT BETWEEN 0 AND (
      SELECT coalesce(sum(value ->> '$[2]'), 0) FROM json_each(users.login_awards))`,
  },
  {
    // A row is deleted with its record.
    table: "external_ids",
    columns: ["object_id"],
    broken: `
    SELECT object || ' ' || object_id AS key
    FROM external_ids
    WHERE CASE object
      WHEN 'user' THEN object_id NOT IN (SELECT id FROM users)
      WHEN 'course' THEN object_id NOT IN (SELECT id FROM courses)
      WHEN 'group' THEN object_id NOT IN (SELECT id FROM groups)
      ELSE object_id NOT IN (SELECT id FROM classes)
    END`,
  },
  {
    table: "events",
    columns: ["id", "occurred_at"],
    broken: `
    SELECT id AS key
    FROM (
      SELECT id - (previous_percent IS NOT NULL) AS id, occurred_at, lag(id) OVER sequence AS before,
        lag(occurred_at) OVER sequence AS earlier
      FROM events
      WINDOW sequence AS (ORDER BY id)
    )
    WHERE id <> before + 1 OR occurred_at < earlier`,
  },
  {
    table: "sequences",
    columns: ["value"],
    broken: SEQUENCES.map(
      (name) => `
    SELECT '${name}' AS key
    WHERE coalesce((SELECT value FROM sequences WHERE name = '${name}'), 0)
      < (SELECT coalesce(max(id), 0) FROM ${name})`,
    ).join(" UNION ALL "),
  },
  {
    table: "assignment_rules",
    columns: ["next_run_at"],
    broken: "SELECT id AS key FROM assignment_rules WHERE next_run_at < 0",
  },
  {
    table: "assignment_queue",
    columns: ["user_id", "changes"],
    broken: `
    SELECT user_id AS key FROM assignment_queue
    WHERE changes < 1 OR user_id NOT IN (SELECT id FROM users)`,
  },
  {
    table: "quiz_questions",
    columns: ["category_id"],
    broken: `
    SELECT own.id AS key
    FROM quiz_questions AS own JOIN categories ON categories.id = own.category_id
    WHERE categories.deleted_at IS NOT NULL`,
  },
  ...["course", "module", "user"].map((type) => ({
    table: `${type}_categories`,
    columns: ["category_id"],
    broken: `
    SELECT category_id AS key
    FROM ${type}_categories JOIN categories ON categories.id = category_id
    WHERE deleted_at IS NOT NULL OR type <> '${type}'`,
  })),
  {
    table: "submissions",
    columns: ["status"],
    broken: `
    SELECT own.id AS key
    FROM submissions AS own JOIN module_statuses AS state ON state.id = own.status_row_id
    WHERE own.status = '${ModuleStatus.Submitted}' AND state.status <> '${ModuleStatus.Submitted}'`,
  },
  {
    table: "api_key_names",
    columns: ["name"],
    broken: `
    SELECT own.id AS key
    FROM api_keys AS own LEFT JOIN api_key_names AS stored ON stored.id = own.id
    WHERE stored.name IS NOT own.name`,
  },
  {
    table: "audit_people",
    columns: ["user_id", "log_id"],
    broken: `
    SELECT own.id AS key
    FROM audit_logs AS own
    WHERE own.subject = 'user' AND own.subject_id IS NOT NULL AND own.subject_id IS NOT own.performed_by AND own.others
      AND NOT EXISTS (SELECT 1 FROM audit_people WHERE user_id = own.subject_id AND log_id = own.id)
    UNION ALL
    SELECT log_id FROM audit_people WHERE log_id NOT IN (SELECT id FROM audit_logs)`,
  },
]
