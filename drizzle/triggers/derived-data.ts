import { COMMON_KINDS } from "../schema/audit.ts"
import { COUNTED } from "../schema/system.ts"
import { ClassStatus, EnrollmentStatus } from "../statuses.ts"
import { LEVELS } from "./gamification.ts"
import { ALL_MEDIA_USES } from "./media.ts"

// Columns that follow from other rows, with the queries that recount them. `npm run verify -- faults` and `soak` verify
// a database with them (scripts/lib/consistency.ts). A test finds columns that a trigger writes and that are not listed
// here or in limited-data.ts.

const commonKinds = COMMON_KINDS.map(({ subject, action }) => `('${subject}', '${action}')`).join(", ")

/** Columns that other rows determine. */
export interface DerivedColumns {
  table: string
  /** The key of the table. */
  key: string[]
  columns: string[]
  /** A query of `key` and `columns` as they must be: one row for each row of the table. */
  recount: string
  /** Ignores rows whose columns are all 0. */
  sparse?: true
}

/** @param columns the columns, each as SQL over `own` and the joined tables */
const columnsOf = (table: string, columns: Record<string, string>, joins = ""): DerivedColumns => ({
  table,
  key: ["id"],
  columns: Object.keys(columns),
  recount: `
    SELECT own.id, ${Object.entries(columns)
      .map(([name, value]) => `${value} AS ${name}`)
      .join(", ")}
    FROM ${table} AS own${joins}`,
})

/** Joins `sums` of the rows of a table that refer to `own` by a column. */
const joinSums = (name: string, by: string, sums: string, from: string) => `
    LEFT JOIN (SELECT ${by} AS of, ${sums} FROM ${from} GROUP BY 1) AS ${name} ON ${name}.of = own.id`

const orZero = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name.split(".")[1] ?? name, `coalesce(${name}, 0)`]))

const certificatesBy = (column: string) =>
  joinSums(
    "held",
    column,
    "count(*) AS certificate_count",
    `certificates WHERE revoked_at = 0 AND ${column} IS NOT NULL`,
  )

/** Every key of `counters`, with the query that counts it. */
export const COUNTS = [
  ...COUNTED.map((table) => `SELECT '${table}', count(*) FROM ${table}`),
  "SELECT 'announcements:' || state, count(*) FROM announcements GROUP BY 1",
  "SELECT 'categories:' || type, count(*) FROM categories WHERE deleted_at IS NULL GROUP BY 1",
  "SELECT 'class_sessions:' || course_id, count(*) FROM class_sessions GROUP BY 1",
  "SELECT 'classes:' || course_id, count(*) FROM classes GROUP BY 1",
  "SELECT 'courses:' || status, count(*) FROM courses GROUP BY 1",
  "SELECT 'group:' || group_id, count(*) FROM group_members GROUP BY 1",
  "SELECT 'learning_paths:' || type, count(*) FROM learning_paths GROUP BY 1",
  "SELECT 'media:' || kind, count(*) FROM media GROUP BY 1",
  "SELECT 'media_bytes:all', sum(bytes) FROM media HAVING count(*) > 0",
  "SELECT 'modules:' || type, count(*) FROM modules GROUP BY 1",
  "SELECT 'orders:' || status, count(*) FROM orders GROUP BY 1",
  "SELECT 'portal:' || portal_id, count(*) FROM portal_members GROUP BY 1",
  "SELECT 'portal_learners:' || portal_id, count(*) FROM portal_members WHERE role <> 'admin' GROUP BY 1",
  "SELECT 'supervisor:' || supervisor_id, count(*) FROM supervisor_scope GROUP BY 1",
  "SELECT 'subscriptions:' || status, count(*) FROM subscriptions GROUP BY 1",
  "SELECT 'activities:verb:' || verb, count(*) FROM activities GROUP BY 1",
  "SELECT 'users:deprovisioned', count(*) FROM users WHERE deprovisioned AND disabled",
  "SELECT 'users:day:' || date(created_at / 1000, 'unixepoch'), count(*) FROM users GROUP BY 1",
]

const NAME_KEYS = { first_name_key: "users.first_name_key", last_name_key: "users.last_name_key" }

const JOIN_USERS = " JOIN users ON users.id = own.user_id"

export const derivedColumns: DerivedColumns[] = [
  {
    table: "counters",
    key: ["key"],
    columns: ["value"],
    recount: `SELECT key, value FROM (SELECT '' AS key, 0 AS value UNION ALL ${COUNTS.join(" UNION ALL ")})`,
    sparse: true,
  },
  {
    table: "media_uses",
    key: ["source", "source_id", "media_id"],
    columns: [],
    recount: ALL_MEDIA_USES,
  },
  {
    table: "supervisor_scope",
    key: ["supervisor_id", "user_id"],
    columns: ["link_count"],
    recount: `
    SELECT supervisor_id, user_id, count(*) AS link_count
    FROM (
      SELECT admin.user_id AS supervisor_id, member.user_id
      FROM group_admins AS admin JOIN group_members AS member USING (group_id)
      UNION ALL
      SELECT admin.user_id, member.user_id
      FROM portal_members AS admin JOIN portal_members AS member USING (portal_id)
      WHERE admin.role = 'admin' AND member.user_id <> admin.user_id
    )
    GROUP BY 1, 2`,
  },
  {
    table: "group_course_seats",
    key: ["group_id", "course_id"],
    columns: ["used_seats"],
    recount: `
    SELECT group_id, course_id, count(taken.id) AS used_seats
    FROM group_course_seats LEFT JOIN enrollments AS taken USING (group_id, course_id)
    GROUP BY 1, 2`,
  },
  columnsOf(
    "courses",
    orZero("part.module_count", "part.goal", "rated.rating_sum", "rated.rating_count"),
    joinSums("part", "course_id", "count(*) AS module_count, sum(counts) AS goal", "course_modules") +
      joinSums("rated", "course_id", "sum(rating) AS rating_sum, count(*) AS rating_count", "reviews"),
  ),
  columnsOf(
    "modules",
    orZero("used.course_count"),
    joinSums("used", "module_id", "count(*) AS course_count", "course_modules"),
  ),
  columnsOf(
    "learning_paths",
    orZero("part.course_count", "part.estimated_minutes", "part.rating_sum", "part.rating_count"),
    joinSums(
      "part",
      "learning_path_id",
      `count(*) AS course_count, sum(courses.estimated_minutes) AS estimated_minutes,
        sum(courses.rating_sum) AS rating_sum, sum(courses.rating_count) AS rating_count`,
      "learning_path_courses JOIN courses ON courses.id = course_id",
    ),
  ),
  columnsOf(
    "assignment_rules",
    orZero("assigned.user_count", "waiting.pending_count"),
    joinSums("assigned", "rule_id", "count(*) AS user_count", "assignment_members") +
      joinSums("waiting", "rule_id", "count(*) AS pending_count", "assignment_claims WHERE pending"),
  ),
  columnsOf(
    "enrollments",
    {
      ...orZero("reached.done", "reached.points_awarded", "reached.points_possible", "held.certificate_count"),
      ...NAME_KEYS,
    },
    JOIN_USERS +
      joinSums(
        "reached",
        "state.enrollment_id",
        `sum(state.status = '${EnrollmentStatus.Completed}' AND part.counts) AS done,
        sum(state.points_awarded) AS points_awarded,
        sum(iif(state.points_awarded IS NULL, 0, modules.total_points)) AS points_possible`,
        `module_statuses AS state
        JOIN enrollments ON enrollments.id = state.enrollment_id
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
        JOIN modules ON modules.id = state.module_id`,
      ) +
      certificatesBy("enrollment_id"),
  ),
  columnsOf(
    "learning_path_enrollments",
    orZero("taken.completed_courses", "taken.certificate_count"),
    joinSums(
      "taken",
      "path.id",
      `sum(enrollments.status = '${EnrollmentStatus.Completed}') AS completed_courses,
        sum(enrollments.certificate_count) AS certificate_count`,
      `learning_path_enrollments AS path
        JOIN learning_path_courses AS part ON part.learning_path_id = path.learning_path_id
        JOIN enrollments ON enrollments.course_id = part.course_id AND enrollments.user_id = path.user_id`,
    ),
  ),
  columnsOf(
    "class_enrollments",
    {
      first_name: "users.first_name",
      last_name: "users.last_name",
      email: "users.email",
      ...NAME_KEYS,
      ...orZero("held.certificate_count"),
    },
    `${JOIN_USERS}${certificatesBy("class_enrollment_id")}`,
  ),
  columnsOf("class_sessions", { course_id: "classes.course_id" }, " JOIN classes ON classes.id = own.class_id"),
  columnsOf(
    "classes",
    orZero("taken.size"),
    joinSums("taken", "class_id", "count(*) AS size", `class_enrollments WHERE status <> '${ClassStatus.Cancelled}'`),
  ),
  columnsOf(
    "question_pools",
    orZero("held.question_count"),
    joinSums("held", "pool_id", "count(*) AS question_count", "bank_questions"),
  ),
  columnsOf(
    "categories",
    { use_count: "iif(own.deleted_at IS NULL, coalesce(used.use_count, 0), own.use_count)" },
    joinSums(
      "used",
      "category_id",
      "count(*) AS use_count",
      `(
        SELECT category_id FROM course_categories
        UNION ALL SELECT category_id FROM module_categories
        UNION ALL SELECT category_id FROM user_categories
        UNION ALL SELECT category_id FROM quiz_questions WHERE category_id IS NOT NULL)`,
    ),
  ),
  {
    table: "user_badges",
    key: ["user_id", "badge_id"],
    columns: ["count", "last_awarded_at"],
    recount: `
    SELECT user_id, badge_id, count(*) AS count, max(awarded_at) AS last_awarded_at
    FROM gamification_awards
    WHERE badge_id IS NOT NULL
    GROUP BY 1, 2`,
  },
  {
    table: "user_scores",
    key: ["user_id"],
    columns: ["points", "badge_count", "ranked"],
    recount: `
    SELECT users.id AS user_id, coalesce(sum(award.points), 0) + coalesce(own.login_points, 0) AS points,
      coalesce(sum(award.badge_id IS NOT NULL), 0) AS badge_count, NOT users.disabled AS ranked
    FROM users LEFT JOIN user_scores AS own ON own.user_id = users.id
      LEFT JOIN gamification_awards AS award ON award.user_id = users.id
    WHERE own.login_points > 0 OR award.id IS NOT NULL
    GROUP BY 1`,
  },
  {
    table: "score_counts",
    key: ["level", "bucket"],
    columns: ["users"],
    recount: LEVELS.map(
      (width, level) => `
    SELECT ${level} AS level, points / ${width} AS bucket, count(*) AS users FROM user_scores WHERE ranked GROUP BY 2`,
    ).join(" UNION ALL "),
    sparse: true,
  },
  columnsOf(
    "announcements",
    orZero("addressed.user_count"),
    joinSums("addressed", "announcement_id", "count(*) AS user_count", "announcement_users"),
  ),
  columnsOf("assignment_uploads", {
    state: "iif(own.id IN (SELECT upload_id FROM submission_files), 'used', iif(own.state = 'used', 'new', own.state))",
  }),
  columnsOf("audit_logs", {
    performer_number: "row_number() OVER (PARTITION BY own.performed_by ORDER BY own.id)",
    kind_number: `iif(
        (own.subject, own.action) IN (VALUES ${commonKinds}),
        NULL,
        row_number() OVER (PARTITION BY own.subject, own.action ORDER BY own.id)
      )`,
    ...Object.fromEntries(
      COMMON_KINDS.map(({ subject, action, column }) => [
        column,
        `sum(own.subject = '${subject}' AND own.action = '${action}') OVER (ORDER BY own.id)`,
      ]),
    ),
  }),
]

/** Columns that triggers write and that nothing else in the database determines, with the reason. */
export const NOT_DERIVED: Record<string, string> = {
  "activities.course_name": "the name of a course that is deleted",
  "audit_logs.*": "a history",
  "events.*": "a history",
  "announcements.*": "deleted with the last of their portals",
  "background_jobs.*": "unfinished work",
  "calendar_cancellations.*": "a history",
  "calendar_subscriptions.*": "deleted when the user is disabled",
  "email_rules.*": "deleted with their portal",
  "outbox.*": "emails of a deleted announcement are not sent",
  "password_links.*": "invalid after a password change",
  "pending_emails.*": "invalid after a change of the address",
  ...Object.fromEntries(
    [
      "assignment_rules",
      "certificates",
      "classes",
      "courses",
      "enrollments",
      "groups",
      "orders",
      "portals",
      "users",
    ].map((table) => [`${table}.updated_at`, "the time of the last change"]),
  ),
  "temporary_passwords.*": "invalid after a password change",
  "module_statuses.points_awarded": "the share of the best attempt, unless staff entered the points",
}

/** A query of the incorrect rows: the key, the stored and the computed values as JSON. */
export function incorrectRows({ table, key, columns, recount, sparse }: DerivedColumns): string {
  const names = key.join(", ")
  const values = `json_array(${columns.join(", ")})`
  const nonZero = sparse ? ` WHERE ${columns.map((name) => `${name} <> 0`).join(" OR ")}` : ""
  // Grouped rather than joined: a full join of two queries compares each row with every other.
  return `
    WITH computed AS (SELECT * FROM (${recount}
    )${nonZero}), stored AS (SELECT ${[...key, ...columns].join(", ")} FROM ${table}${nonZero})
    SELECT json_array(${names}) AS key, max(stored_values) AS stored, max(computed_values) AS computed
    FROM (
      SELECT ${names}, ${values} AS stored_values, NULL AS computed_values FROM stored
      UNION ALL SELECT ${names}, NULL, ${values} FROM computed
    )
    GROUP BY ${names}
    HAVING max(stored_values) IS NOT max(computed_values)`
}
