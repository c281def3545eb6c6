import type { RecordOf } from "../../../client/index.ts"
import { useMe } from "../../api/me.tsx"
import { dateTime, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { parseDate } from "../../ui/time.tsx"
import { STATUS_LABELS } from "../exports/export-kinds.ts"
import { DueStatusBadge, dueStatusOptions } from "./statuses.tsx"

type Cell = RecordOf<"/api/reports/compliance-matrix">["cells"][number]

/** A day in the academy's time zone, as in the export. */
function AcademyDay({ value }: { value: string }) {
  const { academyTimeZone } = useMe()
  const date = parseDate(value)
  return date ? (
    <time dateTime={date.toISOString()}>{dateTime(date, { dateStyle: "medium", timeZone: academyTimeZone })}</time>
  ) : null
}

const NotEnrolled = () => (
  <>
    <span class="quiet" aria-hidden>
      –
    </span>
    <span class="unseen">{t("compliance:matrix.not-enrolled")}</span>
  </>
)

/** A person's training in one course: its status, and the date that matters. */
export function MatrixCell({ cell }: { cell: Cell | undefined }) {
  if (!cell) return <NotEnrolled />
  const { status, dueStatus, dueAt, completedAt, expiresAt } = cell
  const day = completedAt ?? dueAt
  return (
    <>
      {dueStatus ? <DueStatusBadge status={dueStatus} /> : <Badge status={status}>{t(STATUS_LABELS[status])}</Badge>}
      {day && (
        <small class="line quiet">
          <AcademyDay value={day} />
        </small>
      )}
      {expiresAt && (
        <small class="line quiet">
          {t("compliance:matrix.expires")} <AcademyDay value={expiresAt} />
        </small>
      )}
    </>
  )
}

/** What the cells show. */
export const MatrixLegend = () => (
  <section class="below" aria-label={t("compliance:matrix.legend")}>
    <ul class="legend">
      <li class="quiet">{t("compliance:matrix.with-due-date")}</li>
      {dueStatusOptions().map(({ value, label }) => (
        <li key={value}>
          <Badge status={value}>{label}</Badge>
        </li>
      ))}
    </ul>
    <ul class="legend">
      <li class="quiet">{t("compliance:matrix.without-due-date")}</li>
      {Object.entries(STATUS_LABELS).map(([status, label]) => (
        <li key={status}>
          <Badge status={status}>{t(label)}</Badge>
        </li>
      ))}
      <li class="quiet">– {t("compliance:matrix.not-enrolled")}</li>
    </ul>
    <p class="quiet">{t("compliance:matrix.dates")}</p>
  </section>
)
