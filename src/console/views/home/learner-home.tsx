import { useMe } from "../../api/me.tsx"
import { useListPage, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { Time } from "../../ui/time.tsx"
import { CourseCard, type Registration } from "../learner/my-courses.tsx"
import { courseAddress, duration, State } from "../learner/shared.tsx"
import { useUpcoming } from "../learner/upcoming-sessions.ts"

const COURSES = 4
const NEWS = 3
const CLASSES = 3

const modulesOf = ({ id }: Registration) =>
  ["/api/course/modules", { params: { query: { registrationId: id } } }] as const

/** What comes next in a course. */
function Next({ of }: { of: Registration }) {
  const modules = useRead(...modulesOf(of))
  return (
    <Loaded of={modules}>
      {(all) => {
        const next = all.find(({ is_current, is_locked }) => is_current && !is_locked)
        return (
          next && (
            <p>
              {t("learner:up-next")} <a href={courseAddress(of.courseId, of.id, next.module_id)}>{next.name}</a>
            </p>
          )
        )
      }}
    </Loaded>
  )
}

/** The work of one course that waits to be handed in. */
function DueOf({ of }: { of: Registration }) {
  const modules = useRead(...modulesOf(of))
  const due = (modules.data ?? []).filter(
    ({ type, status, is_locked, is_dripped }) =>
      (type === "assignment" || type === "quiz") &&
      !is_locked &&
      !is_dripped &&
      status !== "Completed" &&
      status !== "Submitted",
  )
  return (
    <>
      {due.map(({ module_id, name, status }) => (
        <li key={module_id}>
          <a href={courseAddress(of.courseId, of.id, module_id)}>{name}</a> <State of={status} />
        </li>
      ))}
    </>
  )
}

function Numbers() {
  const statistics = useRead("/api/user/dashboard/statistics")
  return (
    <Loaded of={statistics}>
      {({ totalCourses, inProgressCourses, completedCourses, timeSpent }) => (
        <dl class="facts">
          <dt>{t("learner:enrolled")}</dt>
          <dd>{number(totalCourses)}</dd>
          <dt>{t("status.in-progress")}</dt>
          <dd>{number(inProgressCourses)}</dd>
          <dt>{t("status.completed")}</dt>
          <dd>{number(completedCourses)}</dd>
          <dt>{t("learner:time-spent")}</dt>
          <dd>{duration(timeSpent.totalSeconds)}</dd>
        </dl>
      )}
    </Loaded>
  )
}

function Classes() {
  const classes = useUpcoming(CLASSES)
  return (
    <Loaded of={classes}>
      {(next) =>
        next.length === 0 ? (
          <p class="quiet">{t("learner:classes.none-upcoming")}</p>
        ) : (
          <ul class="plain-list">
            {next.map(({ registrationId, title, start_time }) => (
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

function News() {
  const news = useListPage("/api/student/announcements", { query: {}, at: undefined, size: NEWS })
  return (
    <Loaded of={news}>
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

/** Where learners begin: what to go on with, what is due, the next classes, the news. */
export default function LearnerHome() {
  const me = useMe()
  const courses = useListPage("/api/users/enrolled-courses", {
    query: {
      user_id: me.id,
      manage_course: false,
      search_param: { status: ["In Progress", "Not Started"] },
      order_by: { colName: "lastAccessed", direction: "desc" },
    },
    at: undefined,
    size: COURSES,
  })
  return (
    <Page title={t("learner:welcome", { name: me.name })}>
      <div class="in-order">
        <section aria-labelledby="go-on">
          <h2 id="go-on">{t("learner:continue")}</h2>
          <Loaded of={courses}>
            {({ records }) =>
              records.length === 0 ? (
                <p class="empty">
                  {t("learner:continue.none")} <a href="/console/learning/library">{t("learner:library.title")}</a>
                </p>
              ) : (
                <ul class="cards in-order">
                  {records.map((registration) => (
                    <li class="card" key={registration.id}>
                      <CourseCard of={registration} level={3} />
                      <Next of={registration} />
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
        </section>
        <div class="cards in-order">
          <section class="card" aria-labelledby="due">
            <h2 id="due">{t("learner:due")}</h2>
            <p class="quiet">{t("learner:due.about")}</p>
            <ul class="plain-list">
              {(courses.data?.records ?? []).map((registration) => (
                <DueOf key={registration.id} of={registration} />
              ))}
            </ul>
            <a href="/console/my-assignments">{t("nav.my-assignments")}</a>
          </section>
          <section class="card" aria-labelledby="next-classes">
            <h2 id="next-classes">{t("learner:classes.upcoming")}</h2>
            <Classes />
            <a href="/console/my-classes">{t("nav.my-classes")}</a>
          </section>
          <section class="card" aria-labelledby="news">
            <h2 id="news">{t("nav.my-announcements")}</h2>
            <News />
            <a href="/console/my-announcements">{t("learner:announcements.all")}</a>
          </section>
          <section class="card" aria-labelledby="so-far">
            <h2 id="so-far">{t("learner:my-progress")}</h2>
            <Numbers />
          </section>
        </div>
      </div>
    </Page>
  )
}
