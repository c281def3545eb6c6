import type { ComponentChildren } from "preact"
import { may, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { number, t, timeZone } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useOnePlace } from "./any-registration.ts"
import { type ClassPart, MOST_SESSIONS } from "./class-tab.ts"

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

/** The file is for those alone who look after somebody in the class. */
const SupervisedCalendarFile = ({ id }: { id: number }) => (useOnePlace(id).data ? <CalendarFile id={id} /> : null)

/** What only those know of a class who may change it. */
function Settings({ id }: { id: number }) {
  const read = useRead("/api/class/edit", { params: { query: { classId: id } } })
  return (
    <section class="card" aria-labelledby="class-settings">
      <h2 id="class-settings">{t("classes:settings")}</h2>
      <Loaded of={read}>
        {({ classDetails: of }) => (
          <dl class="facts">
            <Fact name={t("classes:type")}>{t(`classes:type.${of.type}`)}</Fact>
            <Fact name={t("classes:closed")}>{of.disabled ? t("yes") : t("no")}</Fact>
            <Fact name={t("classes:downloads")}>{of.allowDownload ? t("yes") : t("no")}</Fact>
            <Fact name={t("classes:provider")}>{of.webinarProvider || t("none")}</Fact>
            {of.webinarProvider && <Fact name={t("classes:meeting")}>{of.webinar_meeting_id || `class-${id}`}</Fact>}
          </dl>
        )}
      </Loaded>
    </section>
  )
}

/** When and where a class is held, and by whom. */
export function ClassOverview({ id, sessions, first }: ClassPart) {
  const me = useMe()
  const isElsewhere = first.timeZone !== timeZone
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
            {may(me, "staff") ? <CalendarFile id={id} /> : <SupervisedCalendarFile id={id} />}
          </dl>
        </section>
        {may(me, "staff") && <Settings id={id} />}
      </div>
      <section aria-labelledby="class-sessions">
        <h2 id="class-sessions">{t("classes:sessions")}</h2>
        {sessions.length === MOST_SESSIONS && (
          <p class="quiet">{t("classes:sessions.limit", { shown: number(MOST_SESSIONS) })}</p>
        )}
        <Table
          caption={t("classes:sessions")}
          rows={sessions}
          keyOf={({ start_time }) => start_time}
          columns={[
            { key: "start", title: t("classes:start"), render: ({ start_time }) => <Time value={start_time} /> },
            { key: "end", title: t("classes:end"), render: ({ end_time }) => <Time value={end_time} /> },
            ...(isElsewhere
              ? [
                  {
                    key: "own",
                    title: t("classes:time.in-zone", { zone: first.timeZone }),
                    render: ({ startDate, startTime, endTime }: (typeof sessions)[number]) => (
                      <span dir="ltr">{`${startDate} ${startTime} – ${endTime}`}</span>
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
