// What the service did: its events and the mails that arrived, in the words of the ledger.
import { type FeedEvent, REPORT_NAME } from "./academy.ts"
import { DAY, dateOfDay } from "./calendar.ts"
import type { ReceivedMail } from "./receiver.ts"
import { RULES } from "./rules.ts"
import { tickAt, tickTime } from "./ticks.ts"

export interface Seen {
  kind: string
  key: string
  tick: number
  /** When the mail was sent. */
  sentAt?: number
  to?: string
}

const EVENTS: Record<string, string> = {
  "enrollment.assigned": "assigned",
  "enrollment.due_soon": "due soon",
  "enrollment.overdue": "overdue",
  "enrollment.cycle_started": "cycle started",
  "enrollment.expired": "expired",
  "enrollment.removed": "removed",
  "certificate.expiring": "certificate expiring",
  "certificate.expired": "certificate expired",
}

const COURSES = RULES.map(({ courseName }) => courseName).join("|")
const SUBJECTS: [string, RegExp][] = [
  ["mail invited", /^You're invited to/],
  ["mail enrolled", new RegExp(`^You are enrolled in (${COURSES})$`)],
  ["mail due soon", new RegExp(`^(${COURSES}) is due on `)],
  ["mail overdue", new RegExp(`^(${COURSES}) is overdue$`)],
  ["mail certificate expiring", new RegExp(`^Your certificate for (${COURSES}) expires on `)],
  ["mail certificate expired", new RegExp(`^Your certificate for (${COURSES}) has expired$`)],
]

export class Observations {
  readonly seen: Seen[] = []
  /** What has no kind of the ledger. */
  readonly unknown: string[] = []
  /** The keys of certificates: later events may name an erased person. */
  private readonly certificates = new Map<number, string>()
  /** The first email address of each user: events that are read after an erasure name another. */
  private readonly emails = new Map<number, string>()
  /** How many certificates a person has of a course. */
  private readonly issued = new Map<string, number>()
  /** The person and course of an enrollment, which its removal does not name, nor later events of erased people. */
  private readonly enrollments = new Map<number, { email: string; course: string; cycle: number }>()

  private emailOf(user: FeedEvent["data"]["user"]): string {
    if (!user) return ""
    const email = this.emails.get(user.id) ?? user.email ?? ""
    if (email) this.emails.set(user.id, email)
    return email
  }

  /** Reads the events of a tick. */
  addEvents(events: FeedEvent[], tick: number) {
    for (const event of events) {
      const { type, data } = event
      const email = this.emailOf(data.user)
      const course = data.course?.name ?? ""
      if (type === "enrollment.created" && email) this.enrollments.set(data.id, { email, course, cycle: 1 })
      if (type === "certificate.issued") {
        const who = `${email} ${course}`
        const number = 1 + (this.issued.get(who) ?? 0)
        this.issued.set(who, number)
        this.certificates.set(data.id, `${who} ${number}`)
      }
      const kind = EVENTS[type]
      if (!kind) continue
      if (kind === "cycle started") this.enrollments.set(data.id, { email, course, cycle: data.cycle ?? 0 })
      const known = this.enrollments.get(data.id)
      if (kind === "removed") {
        this.seen.push({
          kind,
          key: known ? `${known.email} ${known.course} cycle ${known.cycle}` : `${data.id}`,
          tick,
        })
        continue
      }
      if (kind.startsWith("certificate")) {
        this.seen.push({ kind, key: this.certificates.get(data.id) ?? `${data.id}`, tick })
        continue
      }
      const cycle = kind === "assigned" ? 1 : data.cycle
      const { email: person, course: what } = known ?? { email, course }
      this.seen.push({ kind, key: `${person} ${what} cycle ${cycle}`, tick })
    }
  }

  addMail({ to, subject, text, writtenAt, sentAt }: ReceivedMail) {
    const tick = tickAt(writtenAt)
    const date = dateOfDay(Math.floor(tickTime(tick) / DAY))
    const add = (kind: string, key: string) => this.seen.push({ kind, key, tick, sentAt, to })
    if (subject === "Overdue training in your team") {
      const [, count] = /Overdue enrollments in your team: (\d+)/.exec(text) ?? []
      const [, name, course] = new RegExp(`Learner (\\S+) has not completed (${COURSES})`).exec(text) ?? []
      if (count) return add("mail team digest", `${date} ${count}`)
      return add("mail team copy", `${name}@learners.example ${course} ${date}`)
    }
    if (subject === `Your report ${REPORT_NAME} is ready`) return add("mail report", `${to} ${date}`)
    for (const [kind, pattern] of SUBJECTS) {
      const match = pattern.exec(subject)
      if (!match) continue
      if (kind === "mail invited") return add(kind, to)
      if (!kind.includes("certificate")) return add(kind, `${to} ${match[1]} ${date}`)
      const [, shown] = /expire[sd] on (\w+ \d+, \d+)/.exec(text) ?? []
      return add(kind, `${to} ${match[1]} ${dateOfDay(Date.parse(`${shown} UTC`) / DAY)}`)
    }
    this.unknown.push(`${to}: ${subject}`)
  }
}
