import type { ComponentChildren } from "preact"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { dateTime, number, t, timeZone } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useAnyRegistrationId } from "./any-registration.ts"
import { type ClassTabProps, MAX_SESSIONS } from "./class-tab.ts"

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const CalendarFile = ({ id }: { id: number }) => (
  <Fact name={t("classes:calendar-file")}>
    <a href={`/api/class/calendar/${id}`} download>
      {t("download")}
    </a>
  </Fact>
)

/** Supervisors may download the file only if they supervise someone in the class. */
const SupervisedCalendarFile = ({ id }: { id: number }) =>
  useAnyRegistrationId(id).data ? <CalendarFile id={id} /> : null

/** Settings that only staff may see. */
function Settings({ id }: { id: number }) {
  const details = useRead("/api/class/edit", { params: { query: { classId: id } } })
  return (
    <section class="card" aria-labelledby="class-settings">
      <h2 id="class-settings">{t("classes:settings")}</h2>
      <Loaded query={details}>
        {({ classDetails }) => (
          <dl class="facts">
            <Fact name={t("classes:type")}>{t(`classes:type.${classDetails.type}`)}</Fact>
            <Fact name={t("classes:closed")}>{classDetails.disabled ? t("yes") : t("no")}</Fact>
            <Fact name={t("classes:downloads")}>{classDetails.allowDownload ? t("yes") : t("no")}</Fact>
            <Fact name={t("classes:provider")}>{classDetails.webinarProvider || t("none")}</Fact>
            {classDetails.webinarProvider && (
              <Fact name={t("classes:meeting")}>{classDetails.webinar_meeting_id || `class-${id}`}</Fact>
            )}
          </dl>
        )}
      </Loaded>
    </section>
  )
}

export function ClassOverview({ id, sessions, first }: ClassTabProps) {
  const me = useMe()
  const isOtherZone = first.timeZone !== timeZone
  const zoneTime = (time: string, dateStyle?: "medium") =>
    dateTime(new Date(time), { timeStyle: "short", timeZone: first.timeZone, ...(dateStyle && { dateStyle }) })
  return (
    <>
      <div class="cards">
        <section class="card" aria-labelledby="class-facts">
          <h2 id="class-facts">{t("classes:details")}</h2>
          <dl class="facts">
            <Fact name={t("classes:course")}>
              <a href={`/console/courses/${first.course_id}`}>{first.course_name}</a>
            </Fact>
            <Fact name={t("classes:instructor")}>{first.instructor}</Fact>
            <Fact name={t("classes:location")}>{first.location || t("none")}</Fact>
            <Fact name={t("classes:zone")}>
              <bdi>{first.timeZone}</bdi>
            </Fact>
            {hasAccess(me, "staff") ? <CalendarFile id={id} /> : <SupervisedCalendarFile id={id} />}
          </dl>
        </section>
        {hasAccess(me, "staff") && <Settings id={id} />}
      </div>
      <section aria-labelledby="class-sessions">
        <h2 id="class-sessions">{t("classes:sessions")}</h2>
        {sessions.length === MAX_SESSIONS && (
          <p class="quiet">{t("classes:sessions.limit", { shown: number(MAX_SESSIONS) })}</p>
        )}
        <Table
          caption={t("classes:sessions")}
          rows={sessions}
          keyOf={({ start_time }) => start_time}
          columns={[
            { key: "start", title: t("classes:start"), render: ({ start_time }) => <Time value={start_time} /> },
            { key: "end", title: t("classes:end"), render: ({ end_time }) => <Time value={end_time} /> },
            ...(isOtherZone
              ? [
                  {
                    key: "in-zone",
                    title: t("classes:time.in-zone", { zone: first.timeZone }),
                    render: ({ start_time, end_time }: (typeof sessions)[number]) => (
                      <bdi>
                        {zoneTime(start_time, "medium")} – {zoneTime(end_time)}
                      </bdi>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </section>
    </>
  )
}
