import { useMe } from "../../api/me.tsx"
import { useListPage, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { Time } from "../../ui/time.tsx"
import { CourseCard, type Enrollment } from "../learner/my-courses.tsx"
import { courseUrl, formatDuration, StatusBadge } from "../learner/shared.tsx"
import { useUpcomingSessions } from "../learner/upcoming-sessions.ts"

const MAX_COURSES = 4
const MAX_ANNOUNCEMENTS = 3
const MAX_SESSIONS = 3

const modulesQuery = ({ id }: Enrollment) =>
  ["/api/course/modules", { params: { query: { registrationId: id } } }] as const

/** The next module of a course. */
function NextModule({ enrollment }: { enrollment: Enrollment }) {
  const modules = useRead(...modulesQuery(enrollment))
  return (
    <Loaded query={modules}>
      {(list) => {
        const next = list.find(({ is_current, is_locked }) => is_current && !is_locked)
        return (
          next && (
            <p>
              {t("learner:up-next")}{" "}
              <a href={courseUrl(enrollment.courseId, enrollment.id, next.module_id)}>{next.name}</a>
            </p>
          )
        )
      }}
    </Loaded>
  )
}

/** Open quizzes and assignments of a course. */
function OpenTasks({ enrollment }: { enrollment: Enrollment }) {
  const modules = useRead(...modulesQuery(enrollment))
  const tasks = (modules.data ?? []).filter(
    ({ type, status, is_locked, is_dripped }) =>
      (type === "assignment" || type === "quiz") &&
      !is_locked &&
      !is_dripped &&
      status !== "Completed" &&
      status !== "Submitted",
  )
  return (
    <>
      {tasks.map(({ module_id, name, status }) => (
        <li key={module_id}>
          <a href={courseUrl(enrollment.courseId, enrollment.id, module_id)}>{name}</a> <StatusBadge status={status} />
        </li>
      ))}
    </>
  )
}

function Statistics() {
  const statistics = useRead("/api/user/dashboard/statistics")
  return (
    <Loaded query={statistics}>
      {({ totalCourses, inProgressCourses, completedCourses, timeSpent }) => (
        <dl class="facts">
          <dt>{t("learner:enrolled")}</dt>
          <dd>{number(totalCourses)}</dd>
          <dt>{t("status.in-progress")}</dt>
          <dd>{number(inProgressCourses)}</dd>
          <dt>{t("status.completed")}</dt>
          <dd>{number(completedCourses)}</dd>
          <dt>{t("learner:time-spent")}</dt>
          <dd>{formatDuration(timeSpent.totalSeconds)}</dd>
        </dl>
      )}
    </Loaded>
  )
}

function UpcomingClasses() {
  const sessions = useUpcomingSessions(MAX_SESSIONS)
  return (
    <Loaded query={sessions}>
      {(upcoming) =>
        upcoming.length === 0 ? (
          <p class="quiet">{t("learner:classes.none-upcoming")}</p>
        ) : (
          <ul class="plain-list">
            {upcoming.map(({ registrationId, title, start_time }) => (
              <li key={`${registrationId} ${start_time}`}>
                <a href={`/console/my-classes/${registrationId}`}>{title}</a>
                <p class="quiet">
                  <Time value={start_time} />
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function Announcements() {
  const announcements = useListPage("/api/student/announcements", {
    query: {},
    page: undefined,
    size: MAX_ANNOUNCEMENTS,
  })
  return (
    <Loaded query={announcements}>
      {({ records }) =>
        records.length === 0 ? (
          <p class="quiet">{t("learner:announcements.none")}</p>
        ) : (
          records.map(({ id, heading, content, created_at }) => (
            <article key={id}>
              <h3>{heading}</h3>
              <p class="quiet">
                <Time value={created_at} />
              </p>
              <RichText html={content} />
            </article>
          ))
        )
      }
    </Loaded>
  )
}

export default function LearnerHome() {
  const me = useMe()
  const courses = useListPage("/api/users/enrolled-courses", {
    query: {
      user_id: me.id,
      manage_course: false,
      search_param: { status: ["In Progress", "Not Started"] },
      order_by: { colName: "lastAccessed", direction: "desc" },
    },
    page: undefined,
    size: MAX_COURSES,
  })
  return (
    <Page title={t("learner:welcome", { name: me.name })}>
      <div class="in-order">
        <section aria-labelledby="continue">
          <h2 id="continue">{t("learner:continue")}</h2>
          <Loaded query={courses}>
            {({ records }) =>
              records.length === 0 ? (
                <p class="empty">
                  {t("learner:continue.none")} <a href="/console/learning/library">{t("learner:library.title")}</a>
                </p>
              ) : (
                <ul class="cards in-order">
                  {records.map((enrollment) => (
                    <li class="card" key={enrollment.id}>
                      <CourseCard enrollment={enrollment} level={3} />
                      <NextModule enrollment={enrollment} />
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
        </section>
        <div class="cards in-order">
          <section class="card" aria-labelledby="to-do">
            <h2 id="to-do">{t("learner:due")}</h2>
            <p class="quiet">{t("learner:due.about")}</p>
            <ul class="plain-list">
              {(courses.data?.records ?? []).map((enrollment) => (
                <OpenTasks key={enrollment.id} enrollment={enrollment} />
              ))}
            </ul>
            <a href="/console/my-assignments">{t("nav.my-assignments")}</a>
          </section>
          <section class="card" aria-labelledby="upcoming-classes">
            <h2 id="upcoming-classes">{t("learner:classes.upcoming")}</h2>
            <UpcomingClasses />
            <a href="/console/my-classes">{t("nav.my-classes")}</a>
          </section>
          <section class="card" aria-labelledby="announcements">
            <h2 id="announcements">{t("nav.my-announcements")}</h2>
            <Announcements />
            <a href="/console/my-announcements">{t("learner:announcements.all")}</a>
          </section>
          <section class="card" aria-labelledby="my-progress">
            <h2 id="my-progress">{t("learner:my-progress")}</h2>
            <Statistics />
          </section>
        </div>
      </div>
    </Page>
  )
}
