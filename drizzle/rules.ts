// Rules that both the database's triggers and the service's own statements keep: each stands here once, as SQL text.
// None of it comes from a caller: names of columns and tables only.

/**
 * How far a registration is, from 0 to 100; it never falls.
 * @param at the percent that it has
 * @param done how many of the course's counting modules are completed
 * @param goal how many there are
 */
export const percentOf = (at: string, done: string, goal: string) =>
  `max(${at}, min(100, coalesce((${done}) * 100 / nullif(${goal}, 0), 0)))`

/** Whether all that a course asks for is done. A course that asks for nothing is never completed. */
export const isDone = (done: string, goal: string) => `(${goal} > 0 AND ${done} >= ${goal})`

/** The states of an enrollment in modules that its course has: `state`, with the course's `part`. */
const statesOf = (enrollment: string) => `
        FROM module_statuses AS state
          JOIN course_modules AS part ON part.course_id = ${enrollment}.course_id AND part.module_id = state.module_id
        WHERE state.enrollment_id = ${enrollment}.id`

/** How many of the modules that count an enrollment has completed. @param enrollment a table name or alias */
export const doneIn = (enrollment: string) => `(
        SELECT count(*)${statesOf(enrollment)} AND state.status = 'Completed' AND part.counts)`

/** The points awarded in an enrollment, and the points that the same modules are worth. */
export const pointsAwardedIn = (enrollment: string) => `(
        SELECT coalesce(sum(state.points_awarded), 0)${statesOf(enrollment)})`
export const pointsPossibleIn = (enrollment: string) => `(
        SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)${statesOf(enrollment)}
          AND state.points_awarded IS NOT NULL)`

/** How many module ids there is room for in a module status's id. */
export const MODULE_IDS = 4_194_304

/** A module status's id, of the columns that have its registration's and its module's. */
export const statusRowIdIn = (enrollmentId: string, moduleId: string) =>
  `(${enrollmentId} * ${MODULE_IDS} + ${moduleId})`

/** Whether a registration has earned the certificate of its course. */
export const earnsCertificate = (registration: string) => `${registration}.status = 'Completed'`

/** How a course that gives a certificate is joined with the template that it gives it by. */
export const givesCertificate = "certificate_templates.id = courses.certificate_template_id"

/** How a course is joined with `author`, who signs its certificates. */
export const signsCertificate = "author.id = courses.author_id"

/** What a certificate keeps of its course as it is at issue, from `courses` and `author`. */
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
 * What learning path registrations have reached in their courses: a row of `id`, `goal`, `done`, `begun`,
 * `first_start`, `last_end` and `certificates` for each.
 * @param from what leads to `own`, the path registrations, before the joins
 * @param where which of them
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
  /** When Completed is taken back, where not all is done; never unless told. */
  undone?: string
  /** When a path of which nothing is begun any more starts anew; never unless told. */
  reset?: string
  /** When a path that was begun stays In Progress, although none of its courses is; never unless told. */
  kept?: string
}

/** The condition that a path registration changes by what `pathStanding` makes of it. */
export const standsElsewhere = (
  standing: ReturnType<typeof pathStanding>,
) => `(${Object.keys(standing).join(", ")}) <> (
      ${Object.values(standing).join(",\n      ")}
    )`

/**
 * The columns of a path registration as `progress` (see `pathProgress`) makes them. No percent falls, and Completed is
 * not undone, save where told.
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

/** The number of groups and portals through which a supervisor sees a person. Both are expressions of user ids. */
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
