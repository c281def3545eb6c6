import type { DataOf, RecordOf } from "../../../client/index.ts"
import { dateTime, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"

export type Attendee = RecordOf<"/api/class/attendance">
export type AttendanceAnswer = DataOf<"/api/class/attendance", "get">
export type Session = AttendanceAnswer["sessions"][number]
export type Mark = NonNullable<Attendee["attendance"][number]>

export const MARKS = ["present", "late", "absent", "excused"] as const satisfies readonly Mark[]
/** The status that colors a mark. */
const TONES: Record<Mark, string> = { present: "attended", late: "due_soon", absent: "no show", excused: "" }

export const nameOf = ({ first_name, last_name }: Attendee) => `${first_name} ${last_name}`
export const markLabel = (mark: Mark) => t(`teaching:mark.${mark}`)

/** The day of a session in the time zone of its class. */
export const sessionTitle = ({ startsAt }: Session, zone: string) =>
  dateTime(new Date(startsAt), { month: "short", day: "numeric", year: "numeric", timeZone: zone })
export const sessionTime = ({ startsAt }: Session, zone: string) =>
  dateTime(new Date(startsAt), { hour: "numeric", minute: "2-digit", timeZone: zone, timeZoneName: "short" })

export const MarkBadge = ({ mark }: { mark: Mark | null | undefined }) =>
  mark ? (
    <Badge status={TONES[mark]}>{markLabel(mark)}</Badge>
  ) : (
    <>
      <span class="quiet" aria-hidden>
        –
      </span>
      <span class="unseen">{t("teaching:mark.none")}</span>
    </>
  )
