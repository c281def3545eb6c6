// Rules shared by triggers and the service's statements, as SQL text. Only table and column names are interpolated,
// never input.

/**
 * The progress of an enrollment, from 0 to 100, which never decreases.
 * @param at its current percentage
 * @param done the number of completed modules that count
 * @param goal the number of modules that count
 */
export const percentOf = (at: string, done: string, goal: string) =>
  `max(${at}, min(100, coalesce((${done}) * 100 / nullif(${goal}, 0), 0)))`

/** Whether all modules that count are completed. A course without any is never completed. */
export const isDone = (done: string, goal: string) => `(${goal} > 0 AND ${done} >= ${goal})`

/** The statuses of an enrollment in its course's modules: `state`, with the course module as `part`. */
const statesOf = (enrollment: string) => `
        FROM module_statuses AS state
          JOIN course_modules AS part ON part.course_id = ${enrollment}.course_id AND part.module_id = state.module_id
        WHERE state.enrollment_id = ${enrollment}.id`

/** The number of completed modules that count. @param enrollment a table name or alias */
export const doneIn = (enrollment: string) => `(
        SELECT count(*)${statesOf(enrollment)} AND state.status = 'Completed' AND part.counts)`

/** The points awarded in an enrollment, and the possible points of the same modules. */
export const pointsAwardedIn = (enrollment: string) => `(
        SELECT coalesce(sum(state.points_awarded), 0)${statesOf(enrollment)})`
export const pointsPossibleIn = (enrollment: string) => `(
        SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)${statesOf(enrollment)}
          AND state.points_awarded IS NOT NULL)`

/** The range of module ids within the id of a module status. */
export const MODULE_IDS = 4_194_304

/** The id of a module status, from the columns with its enrollment and module. */
export const statusRowIdIn = (enrollmentId: string, moduleId: string) =>
  `(${enrollmentId} * ${MODULE_IDS} + ${moduleId})`

/** Whether an enrollment has earned its course's certificate. */
export const earnsCertificate = (registration: string) => `${registration}.status = 'Completed'`

/** The join of a course with its certificate template. */
export const givesCertificate = "certificate_templates.id = courses.certificate_template_id"

/** The join of a course with its `author`, who signs its certificates. */
export const signsCertificate = "author.id = courses.author_id"

/** The columns of a certificate that are copied from `courses` and `author` when it is issued. */
export const certificateOf = {
  code: "hex(randomblob(12))",
  courseId: "courses.id",
  templateId: "courses.certificate_template_id",
  courseName: "courses.name",
  instructorName: "coalesce(trim(author.first_name || ' ' || author.last_name), '')",
  courseCredit: "courses.course_credit",
  searchText: "courses.search_text",
}

/**
 * The progress of learning path enrollments: rows of `id`, `goal`, `done`, `begun`, `first_start`, `last_end` and
 * `certificates`.
 * @param from the source of `own`, the path enrollments, before the joins
 * @param where the condition on them
 */
export const pathProgress = (from: string, where: string) => `
      SELECT own.id AS id,
        count(*) AS goal,
        count(*) FILTER (WHERE taken.status = 'Completed') AS done,
        count(*) FILTER (WHERE taken.status <> 'Not Started') AS begun,
        coalesce(min(nullif(taken.started_at, 0)), 0) AS first_start,
        coalesce(max(taken.completed_at), 0) AS last_end,
        coalesce(sum(taken.certificate_count), 0) AS certificates
      FROM ${from}
        JOIN learning_path_courses AS part ON part.learning_path_id = own.learning_path_id
        LEFT JOIN enrollments AS taken ON taken.course_id = part.course_id AND taken.user_id = own.user_id
      WHERE ${where}
      GROUP BY own.id`

interface PathChange {
  /** When a completed path becomes incomplete again if not all courses are completed. Default: never. */
  undone?: string
  /** When a path is reset to Not Started if none of its courses is started any more. Default: never. */
  reset?: string
  /** When a started path stays In Progress even if none of its courses is. Default: never. */
  kept?: string
}

/** The condition that `pathStanding` changes a path enrollment. */
export const standsElsewhere = (
  standing: ReturnType<typeof pathStanding>,
) => `(${Object.keys(standing).join(", ")}) <> (
      ${Object.values(standing).join(",\n      ")}
    )`

/**
 * The columns of a path enrollment according to `progress` (see `pathProgress`). By default the percentage never
 * decreases and Completed is final.
 */
export function pathStanding({ undone, reset, kept }: PathChange) {
  const stays = undone ? `(status = 'Completed' AND NOT (${undone}))` : "status = 'Completed'"
  const complete = `(progress.done = progress.goal OR ${stays})`
  const anew = reset && `(progress.begun = 0 AND (${reset}) AND NOT ${complete})`
  const falls = [...(undone ? [`(${undone})`] : []), ...(anew ? [anew] : [])].join("\n        OR ")
  const percent = "progress.done * 100 / progress.goal"
  const begun = kept ? `(progress.begun > 0 OR (status <> 'Not Started' AND ${kept}))` : "progress.begun > 0"
  const started = `iif(started_at > 0 OR progress.begun = 0,
        started_at,
        max(registered_at, progress.first_start))`
  return {
    completed_courses: "progress.done",
    certificate_count: "progress.certificates",
    percent: falls
      ? `iif(${falls},
        ${percent},
        max(percent, ${percent}))`
      : `max(percent, ${percent})`,
    status: `iif(${complete},
        'Completed',
        iif(${begun}, 'In Progress', 'Not Started'))`,
    started_at: anew ? `iif(${anew}, 0, ${started})` : started,
    completed_at: `iif(${complete},
        iif(completed_at > 0, completed_at, max(registered_at, progress.last_end)),
        0)`,
  }
}

/** The number of groups and portals through which a supervisor can see a person. Both are expressions of user ids. */
export const waysBetween = (supervisor: string, person: string) => `(
      (
        SELECT count(*) FROM group_members AS belonging
          CROSS JOIN group_admins AS leading ON leading.group_id = belonging.group_id
        WHERE belonging.user_id = ${person} AND leading.user_id = ${supervisor}
      ) + (
        SELECT count(*) FROM portal_members AS belonging
          CROSS JOIN portal_members AS leading ON leading.portal_id = belonging.portal_id
        WHERE belonging.user_id = ${person} AND leading.user_id = ${supervisor} AND leading.role = 'admin'
          AND leading.user_id <> belonging.user_id
      )
    )`
