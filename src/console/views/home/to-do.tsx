import { Armchair, CalendarClock, CircleCheckBig, ClipboardCheck, FileX, type LucideIcon, Webhook } from "lucide-preact"
import { number, t } from "../../messages/messages.ts"
import type { StaffHomeData } from "./activity.tsx"

type Task = "toGrade" | "overdue" | "failingWebhooks" | "failedExports" | "openSeats"

const TASKS: readonly (readonly [task: Task, label: string, href: string, icon: LucideIcon])[] = [
  ["toGrade", "home:to-do.grade", "/assignments?status=Submitted", ClipboardCheck],
  ["overdue", "home:to-do.overdue", "/due?dueStatus=overdue", CalendarClock],
  ["failingWebhooks", "home:to-do.webhooks", "/webhooks", Webhook],
  ["failedExports", "home:to-do.exports", "/exports", FileX],
  ["openSeats", "home:to-do.seats", "/groups", Armchair],
]

/** What waits for staff, with its number and its place. */
export function ToDo({ home }: { home: StaffHomeData }) {
  const open = TASKS.filter(([task]) => (home[task] ?? 0) > 0)
  return (
    <section class="card" aria-labelledby="to-do">
      <h2 id="to-do">{t("home:to-do")}</h2>
      {open.length === 0 ? (
        <p class="quiet with-icon">
          <CircleCheckBig size={18} aria-hidden /> {t("home:to-do.none")}
        </p>
      ) : (
        <ul class="to-do">
          {open.map(([task, label, href, Icon]) => (
            <li key={task}>
              <a href={`/console${href}`}>
                <Icon size={18} aria-hidden />
                <span>{t(label)}</span>
                <strong>{number(home[task] ?? 0)}</strong>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
