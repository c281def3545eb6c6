import { FileSpreadsheet, FileUp, GraduationCap, ListPlus, Megaphone, UserPlus } from "lucide-preact"
import { useMe } from "../../api/me.tsx"
import { useListPage, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { currentMinute } from "../../ui/time.tsx"
import { WallTime } from "../../ui/wall-time.tsx"
import { Activity } from "./activity.tsx"
import { CourseChart } from "./course-chart.tsx"
import { SetupChecklist } from "./setup-checklist.tsx"
import { ToDo } from "./to-do.tsx"
import "./home.css"

const MAX_ITEMS = 5
const DAY_MS = 86_400_000
const DAYS_AHEAD = 60

function UpcomingClasses() {
  const now = currentMinute()
  const until = new Date(now.getTime() + DAYS_AHEAD * DAY_MS)
  const page = useListPage("/api/class/tabularlist", {
    query: {
      search_param: { dates: [now.toISOString(), until.toISOString()] },
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
            <p class="quiet">{t("home:classes.none")}</p>
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

const QuickActions = () => (
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
)

/** The numbers, the tasks and the courses of the academy; of a new one, what to do first. */
export default function StaffHome() {
  const me = useMe()
  const home = useRead("/api/home", {}, { isVolatile: true })
  return (
    <Page title={t("home:welcome", { name: me.name })}>
      <div class="in-order">
        <Loaded query={home}>
          {(loaded) => (
            <>
              <SetupChecklist setup={loaded.setup} />
              {loaded.courses.length > 0 && (
                <>
                  <Activity home={loaded} />
                  <div class="home-columns">
                    <CourseChart courses={loaded.courses} />
                    <ToDo home={loaded} />
                  </div>
                </>
              )}
            </>
          )}
        </Loaded>
        <div class="cards in-order">
          <UpcomingClasses />
          <QuickActions />
        </div>
      </div>
    </Page>
  )
}
