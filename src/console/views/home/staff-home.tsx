import { FileSpreadsheet, FileUp, GraduationCap, ListPlus, Megaphone, UserPlus } from "lucide-preact"
import { useMe } from "../../api/me.tsx"
import { useListPage, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Tile } from "../../ui/tile.tsx"
import { Time } from "../../ui/time.tsx"
import { WallTime } from "../../ui/wall-time.tsx"

const MAX_ITEMS = 5
const DAY_MS = 86_400_000
const DAYS_AHEAD = 60

const toDateText = (timestamp: number) => new Date(timestamp).toISOString().slice(0, 10)

/** The numbers of the academy, each with a link to its list. */
function Numbers() {
  const overview = useRead("/api/course/reports/overview")
  const due = useRead("/api/due/summary")
  const both = {
    data: overview.data && due.data && { ...overview.data, due: due.data },
    error: overview.error ?? due.error,
  }
  return (
    <Loaded query={both}>
      {({ due: { overdue, dueSoon }, labels, sumNotStarted, sumInProgress, sumCompleted }) => (
        <ul class="tiles" aria-label={t("home:enrollments")}>
          <Tile href="/due?dueStatus=overdue" label={t("due-status.overdue")} value={overdue} status="overdue" />
          <Tile href="/due?dueStatus=due_soon" label={t("due-status.due-soon")} value={dueSoon} status="due_soon" />
          <Tile href="/reports" label={t("status.not-started")} value={sumNotStarted} />
          <Tile href="/reports" label={t("status.in-progress")} value={sumInProgress} />
          <Tile href="/reports" label={t("status.completed")} value={sumCompleted} />
          <Tile href="/courses" label={t("nav.courses")} value={labels.length} />
        </ul>
      )}
    </Loaded>
  )
}

/** Submissions that need grading, oldest first. */
function Grading() {
  const page = useListPage("/api/course/all-submissions", {
    query: {
      search_param: { status: ["Submitted"] },
      order_by: { colName: "submitted_on", direction: "asc" },
    },
    page: undefined,
    size: MAX_ITEMS,
  })
  return (
    <section class="card" aria-labelledby="grading">
      <h2 id="grading">{t("home:grading")}</h2>
      <Loaded query={page}>
        {({ records, recordsFiltered }) =>
          records.length === 0 ? (
            <p>{t("home:grading.none")}</p>
          ) : (
            <>
              <p>{t("home:grading.count", { count: recordsFiltered, shown: number(recordsFiltered) })}</p>
              <ul class="plain-list">
                {records.map(({ submission_id, status_row_id, first_name, last_name, module_name, submitted_on }) => (
                  <li key={submission_id}>
                    <a href={`/console/assignments/${status_row_id}`}>{`${first_name} ${last_name}`}</a>
                    <p class="quiet">
                      {module_name} · <Time value={submitted_on} />
                    </p>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      <p>
        <a href="/console/assignments">{t("nav.grading")}</a>
      </p>
    </section>
  )
}

function UpcomingClasses() {
  const today = Date.now()
  const page = useListPage("/api/class/tabularlist", {
    query: {
      search_param: { dates: `${toDateText(today)},${toDateText(today + DAYS_AHEAD * DAY_MS)}` },
      order_by: { colName: "start_time", direction: "asc" },
    },
    page: undefined,
    size: MAX_ITEMS,
  })
  return (
    <section class="card" aria-labelledby="classes">
      <h2 id="classes">{t("home:classes")}</h2>
      <Loaded query={page}>
        {({ records }) =>
          records.length === 0 ? (
            <p>{t("home:classes.none")}</p>
          ) : (
            <ul class="plain-list">
              {records.map(({ id, course_name, start_time, timeZone, location }) => (
                <li key={id}>
                  <a href={`/console/classes/${id}`}>{course_name}</a>
                  <p class="quiet">
                    <WallTime value={start_time} zone={timeZone} />
                    {location && ` · ${location}`}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <p>
        <a href="/console/classes">{t("nav.classes")}</a>
      </p>
    </section>
  )
}

const QUICK_ACTIONS = [
  ["/users/new", "home:actions.user", UserPlus],
  ["/upload", "nav.import", FileUp],
  ["/enrollments", "home:actions.enroll", ListPlus],
  ["/courses/new", "home:actions.course", GraduationCap],
  ["/announcements/new", "home:actions.announcement", Megaphone],
  ["/exports", "home:actions.export", FileSpreadsheet],
] as const

export default function StaffHome() {
  return (
    <Page title={t("home:welcome", { name: useMe().name })}>
      <div class="in-order">
        <Numbers />
        <div class="cards in-order">
          <Grading />
          <UpcomingClasses />
          <section class="card" aria-labelledby="quick-actions">
            <h2 id="quick-actions">{t("home:actions")}</h2>
            <ul class="plain-list">
              {QUICK_ACTIONS.map(([path, label, Icon]) => (
                <li key={path}>
                  <a class="quick" href={`/console${path}`}>
                    <Icon size={18} aria-hidden /> {t(label)}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        </div>
      </div>
    </Page>
  )
}
