import type { DataOf } from "../../../client/index.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { formatDuration } from "../../ui/duration.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { Tile } from "../../ui/tile.tsx"
import { Time } from "../../ui/time.tsx"
import { DueTiles } from "../compliance/due-tiles.tsx"
import { CourseCard } from "../learner/my-courses.tsx"
import { courseUrl, StatusBadge } from "../learner/shared.tsx"

type OwnHome = DataOf<"/api/me/home", "get">

function Course({ course }: { course: OwnHome["courses"][number] }) {
  const { registrationId, courseId, name, expiresAt, next } = course
  const enrollment = { ...course, id: registrationId, courseName: name, isExpired: false, expire_on: expiresAt ?? "" }
  return (
    <li class="card">
      <CourseCard enrollment={enrollment} level={3} />
      {next && (
        <p>
          {t("learner:up-next")} <a href={courseUrl(courseId, registrationId, next.moduleId)}>{next.name}</a>
        </p>
      )}
    </li>
  )
}

const Courses = ({ courses }: Pick<OwnHome, "courses">) =>
  courses.length === 0 ? (
    <p class="empty">
      {t("learner:continue.none")} <a href="/console/learning/library">{t("learner:library.title")}</a>
    </p>
  ) : (
    <ul class="cards in-order">
      {courses.map((course) => (
        <Course course={course} key={course.registrationId} />
      ))}
    </ul>
  )

const Tasks = ({ tasks }: Pick<OwnHome, "tasks">) => (
  <ul class="plain-list">
    {tasks.map(({ courseId, registrationId, moduleId, name, status }) => (
      <li key={`${registrationId} ${moduleId}`}>
        <a href={courseUrl(courseId, registrationId, moduleId)}>{name}</a> <StatusBadge status={status} />
      </li>
    ))}
  </ul>
)

const Sessions = ({ sessions }: Pick<OwnHome, "sessions">) =>
  sessions.length === 0 ? (
    <p class="quiet">{t("learner:classes.none-upcoming")}</p>
  ) : (
    <ul class="plain-list">
      {sessions.map(({ registrationId, courseName, startsAt }) => (
        <li key={`${registrationId} ${startsAt}`}>
          <a href={`/console/my-classes/${registrationId}`}>{courseName}</a>
          <p class="quiet">
            <Time value={startsAt} />
          </p>
        </li>
      ))}
    </ul>
  )

const Announcements = ({ announcements }: Pick<OwnHome, "announcements">) =>
  announcements.length === 0 ? (
    <p class="quiet">{t("learner:announcements.none")}</p>
  ) : (
    <div>
      {announcements.map(({ id, heading, content, createdAt }) => (
        <article key={id}>
          <h3>{heading}</h3>
          <p class="quiet">
            <Time value={createdAt} />
          </p>
          <RichText html={content} />
        </article>
      ))}
    </div>
  )

const Statistics = ({ statistics }: Pick<OwnHome, "statistics">) => {
  const { notStarted, inProgress, completed, secondsSpent } = statistics
  return (
    <dl class="facts">
      <dt>{t("learner:enrolled")}</dt>
      <dd>{number(notStarted + inProgress + completed)}</dd>
      <dt>{t("status.in-progress")}</dt>
      <dd>{number(inProgress)}</dd>
      <dt>{t("status.completed")}</dt>
      <dd>{number(completed)}</dd>
      <dt>{t("learner:time-spent")}</dt>
      <dd>{formatDuration(secondsSpent)}</dd>
    </dl>
  )
}

/** The counts of the user's training, each with a link to its courses. */
const Numbers = ({ statistics }: Pick<OwnHome, "statistics">) => {
  const { overdue, dueSoon, inProgress, completed } = statistics
  return (
    <ul class="tiles" aria-label={t("learner:my-progress")}>
      <Tile href="/learning?dueStatus=overdue" label={t("due-status.overdue")} value={overdue} status="overdue" />
      <Tile href="/learning?dueStatus=due_soon" label={t("due-status.due-soon")} value={dueSoon} status="due_soon" />
      <Tile href="/learning?status=In+Progress" label={t("status.in-progress")} value={inProgress} />
      <Tile href="/learning?status=Completed" label={t("status.completed")} value={completed} />
    </ul>
  )
}

/** The overdue training of a supervisor's people. */
function TeamNumbers() {
  const summary = useRead("/api/due/summary")
  return (
    <section aria-labelledby="team">
      <h2 id="team">{t("learner:team")}</h2>
      <Loaded query={summary}>{(counts) => <DueTiles counts={counts} label={t("learner:team")} />}</Loaded>
    </section>
  )
}

export default function LearnerHome() {
  const me = useMe()
  const home = useRead("/api/me/home")
  return (
    <Page title={t("learner:welcome", { name: me.name })}>
      <div class="in-order">
        <Loaded query={home}>{({ statistics }) => <Numbers statistics={statistics} />}</Loaded>
        {hasAccess(me, "group_admin") && <TeamNumbers />}
        <section aria-labelledby="continue">
          <h2 id="continue">{t("learner:continue")}</h2>
          <Loaded query={home}>{({ courses }) => <Courses courses={courses} />}</Loaded>
        </section>
        <div class="cards in-order">
          <section class="card" aria-labelledby="to-do">
            <h2 id="to-do">{t("learner:due")}</h2>
            <p class="quiet">{t("learner:due.about")}</p>
            <Tasks tasks={home.data?.tasks ?? []} />
            <a href="/console/my-assignments">{t("nav.my-assignments")}</a>
          </section>
          <section class="card" aria-labelledby="upcoming-classes">
            <h2 id="upcoming-classes">{t("learner:classes.upcoming")}</h2>
            {home.data && <Sessions sessions={home.data.sessions} />}
            <a href="/console/my-classes">{t("nav.my-classes")}</a>
          </section>
          <section class="card" aria-labelledby="announcements">
            <h2 id="announcements">{t("nav.my-announcements")}</h2>
            {home.data && <Announcements announcements={home.data.announcements} />}
            <a href="/console/my-announcements">{t("learner:announcements.all")}</a>
          </section>
          <section class="card" aria-labelledby="my-progress">
            <h2 id="my-progress">{t("learner:my-progress")}</h2>
            {home.data && <Statistics statistics={home.data.statistics} />}
          </section>
        </div>
      </div>
    </Page>
  )
}
