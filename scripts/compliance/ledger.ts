// What must happen, and when, computed from the rules, from what people do, and from docs/api: it asks the service
// nothing and shares no code with it.
import {
  DAY,
  dateOfDay,
  dayIn,
  dayOfDate,
  HOUR,
  instant,
  isWeekend,
  lastInstant,
  MINUTE,
  wallTime,
  weekdayFrom,
  weekdayOf,
} from "./calendar.ts"
import { ACADEMY_ZONE, type Person } from "./people.ts"
import { RULES, type Rule } from "./rules.ts"
import { firstTickFrom, tickTime } from "./ticks.ts"

const [MORNING, EVENING] = [7 * HOUR, 20 * HOUR]
const CERTIFICATE_NOTICE = 30 * DAY
const MONDAY = 1
/** Access begins some minutes after the tick: it ends as many minutes after a tick. */
const MAX_SETTLING = 50 * MINUTE

/** A person in the course of a rule. */
export interface Training {
  person: Person
  rule: Rule
  cycle: number
  /** The tick at which the cycle began. */
  beganAt: number
  dueAt: number
  completedAt?: number
  /** The ticks at which cycles were completed, by their number. */
  completions: Map<number, number>
  /** Whether the rule still requires it. */
  isRequired: boolean
  /** Whether the enrollment exists. */
  exists: boolean
  isOverdue: boolean
  lastReminderDay: number
  hasBeenOverdueReminded: boolean
  /** When access ends. 0: never */
  expiresAt: number
  lastCertificate: number
  /** Changes with every act: what was planned before does not happen. */
  version: number
  /** The tick at which the rule no longer required it. */
  endedAt?: number
}

/** Something that must happen once: its kind, the person and the training, and the tick. */
export interface Occurrence {
  kind: string
  key: string
  tick: number
  training?: Training
  /** The cycle of the training. */
  cycle?: number
  person?: Person
  /** Whether it may be missing: access can end minutes before the tick, when it still had to happen. */
  isOptional?: boolean
}

interface Member {
  person: Person
  isInGroup: boolean
  isActive: boolean
  trainings: Training[]
  /** The tick at which the person was disabled or erased. */
  endedAt?: number
}

export class Ledger {
  readonly expected = new Map<string, Occurrence>()
  readonly members = new Map<string, Member>()
  /** Called when a cycle begins, so that the person can decide when to complete it. */
  onCycle: (training: Training, tick: number) => void = () => {}
  private readonly agenda = new Map<number, (() => void)[]>()
  private readonly lastTick: number
  /** Receives the digest of the group on Mondays. */
  private readonly supervisor: Person

  /** @param recipients who receive the weekly report */
  constructor(lastTick: number, supervisor: Person, recipients: readonly string[]) {
    this.lastTick = lastTick
    this.supervisor = supervisor
    const { zone } = supervisor
    const lastDay = dayIn(tickTime(lastTick), zone)
    for (let day = dayIn(tickTime(0), zone); day <= lastDay; day++) {
      if (weekdayOf(day) !== MONDAY) continue
      const tick = firstTickFrom(instant(day, MORNING, zone))
      for (const email of recipients)
        this.at(tick, () => this.expect({ kind: "mail report", key: `${email} ${dateOfDay(day)}`, tick }))
    }
  }

  // What people do.

  joins(person: Person, tick: number) {
    const member = { person, isInGroup: person.isInGroup, isActive: true, trainings: [] }
    this.members.set(person.email, member)
    this.expect({ kind: "mail invited", key: person.email, tick, person })
    for (const rule of RULES.filter((one) => member.isInGroup || !one.ofGroup)) this.assign(member, rule, tick)
  }

  leaves(person: Person, how: NonNullable<Person["leaves"]>["how"], tick: number) {
    const member = this.memberOf(person)
    for (const training of member.trainings) if (how !== "group" || training.rule.ofGroup) this.end(training, tick)
    member.isInGroup &&= how !== "group"
    if (how === "group") return
    member.isActive = false
    member.endedAt = tick
  }

  completes(training: Training, tick: number) {
    training.completedAt = tick
    training.completions.set(training.cycle, tick)
    training.version++
    training.isOverdue = false
    const { rule, expiresAt } = training
    if (rule.hasCertificate) this.certify(training, tick)
    if (expiresAt > 0) this.plan(training, firstTickFrom(expiresAt), () => this.expires(training))
    const { recurrence } = rule
    if (!recurrence) return
    const zone = training.person.zone
    const completed = dayIn(tickTime(tick), zone)
    const due = dayIn(training.dueAt, zone)
    const isInWindow = completed >= due - recurrence.opensDaysBefore && completed <= due
    const from = isInWindow ? due : completed
    const first = new Date(from * DAY).getUTCFullYear()
    const day = [0, 1, 2]
      .map((years) => dayOfDate(`${first + years}-0${recurrence.month}-${recurrence.day}`))
      .find((candidate) => candidate > from && candidate - recurrence.opensDaysBefore > completed)
    if (day === undefined) throw new Error("There is no next date.")
    const opens = firstTickFrom(instant(day - recurrence.opensDaysBefore, 0, zone))
    this.plan(training, opens, () => {
      training.cycle++
      this.expect(this.occurrence("cycle started", training, opens))
      this.begin(training, lastInstant(day, zone), opens)
    })
  }

  /** What the service does at a tick, after the acts. */
  advance(tick: number) {
    for (const happen of this.agenda.get(tick) ?? []) happen()
    this.agenda.delete(tick)
    const count = this.isDigestTick(tick) ? this.overdueInGroup() : 0
    if (count === 0) return
    const key = `${dateOfDay(Math.floor(tickTime(tick) / DAY))} ${count}`
    this.expect({ kind: "mail team digest", key, tick, person: this.supervisor })
  }

  /** Whether something should happen at a tick. */
  isBusy = (tick: number): boolean => this.agenda.has(tick) || (this.isDigestTick(tick) && this.overdueInGroup() > 0)

  private isDigestTick(tick: number): boolean {
    const { zone } = this.supervisor
    const day = dayIn(tickTime(tick), zone)
    return weekdayOf(day) === MONDAY && firstTickFrom(instant(day, 8 * HOUR, zone)) === tick
  }

  private overdueInGroup(): number {
    let count = 0
    for (const { isInGroup, trainings } of this.members.values())
      if (isInGroup) for (const training of trainings) if (training.isOverdue) count++
    return count
  }

  memberOf(person: Person): Member {
    const member = this.members.get(person.email)
    if (!member) throw new Error(`${person.email} has not joined.`)
    return member
  }

  // What follows from the documents.

  private assign(member: Member, rule: Rule, tick: number) {
    const at = tickTime(tick)
    const { person } = member
    const training: Training = {
      ...{ person, rule, cycle: 1, beganAt: tick, dueAt: 0, isRequired: true, exists: true, isOverdue: false },
      ...{ lastReminderDay: Number.NEGATIVE_INFINITY, hasBeenOverdueReminded: false },
      ...{ expiresAt: 0, lastCertificate: 0, version: 0, completions: new Map() },
    }
    member.trainings.push(training)
    this.expect(this.occurrence("assigned", training, tick))
    this.expect(this.occurrence("mail enrolled", training, tick))
    const { due } = rule
    const day = due.type === "date" ? dayOfDate(due.date) : dayIn(at, person.zone) + due.days
    this.begin(training, lastInstant(rule.skipWeekends ? weekdayFrom(day) : day, person.zone), tick)
  }

  private begin(training: Training, dueAt: number, tick: number) {
    const { rule, person } = training
    Object.assign(training, {
      ...{ dueAt, beganAt: tick, isOverdue: false, hasBeenOverdueReminded: false },
      ...{
        lastReminderDay: Number.NEGATIVE_INFINITY,
        expiresAt: rule.accessDays > 0 ? tickTime(tick) + MAX_SETTLING + rule.accessDays * DAY : 0,
      },
    })
    delete training.completedAt
    training.version++
    const dueDay = dayIn(dueAt, person.zone)
    const soon = Math.max(tick, firstTickFrom(instant(dueDay - Math.max(...rule.reminders.daysBefore), 0, person.zone)))
    const overdue = Math.max(tick, firstTickFrom(lastInstant(dueDay + rule.graceDays, person.zone) + 1))
    if (soon < overdue) this.plan(training, soon, () => this.expect(this.occurrence("due soon", training, soon)))
    this.plan(training, overdue, () => {
      training.isOverdue = true
      this.expect(this.occurrence("overdue", training, overdue))
    })
    if (training.expiresAt > 0) this.plan(training, firstTickFrom(training.expiresAt), () => this.expires(training))
    this.planReminder(training, tick)
    this.onCycle(training, tick)
  }

  /** The days for which reminders are planned, up to a year after the given one. */
  private reminderDays({ dueAt, person, rule }: Training, until: number): number[] {
    const { daysBefore, overdueEveryDays: every } = rule.reminders
    const due = dayIn(dueAt, person.zone)
    const first = due + rule.graceDays + 1
    const repeats = Math.max(0, Math.ceil((until + 366 - first) / every))
    return [...daysBefore.map((days) => due - days), ...Array.from({ length: repeats }, (_, at) => first + at * every)]
  }

  /** The tick at which a reminder for a day is sent. */
  private reminderTick({ person, rule }: Training, day: number): number {
    return firstTickFrom(instant(rule.skipWeekends ? weekdayFrom(day) : day, MORNING, person.zone))
  }

  /** Sends the reminder that is due at a tick, if any, and plans the next. */
  private planReminder(training: Training, tick: number) {
    const { person, rule, dueAt } = training
    const wall = wallTime(tickTime(tick), person.zone)
    const today = Math.floor(wall / DAY)
    const time = wall - today * DAY
    const mayBeSent = time >= MORNING && time < EVENING && !(rule.skipWeekends && isWeekend(today))
    const days = this.reminderDays(training, today).toSorted((a, b) => a - b)
    const come = days.findLast((day) => this.reminderTick(training, day) <= tick)
    const isDue = come !== undefined && come > training.lastReminderDay
    if (isDue && mayBeSent) {
      const isOverdue = come > dayIn(dueAt, person.zone) + rule.graceDays
      training.lastReminderDay = come
      this.expect(this.occurrence(isOverdue ? "mail overdue" : "mail due soon", training, tick))
      if (isOverdue && !training.hasBeenOverdueReminded && rule.reminders.copySupervisors)
        this.expect(this.occurrence("mail team copy", training, tick))
      training.hasBeenOverdueReminded ||= isOverdue
    }
    const later = days.find((day) => this.reminderTick(training, day) > tick)
    const next = isDue && !mayBeSent ? tick + 1 : later === undefined ? undefined : this.reminderTick(training, later)
    if (next !== undefined) this.plan(training, next, () => this.planReminder(training, next))
  }

  private certify(training: Training, tick: number) {
    const { person, expiresAt } = training
    const number = ++training.lastCertificate
    if (expiresAt === 0) return
    const member = this.memberOf(person)
    const date = dateOfDay(dayIn(expiresAt, person.zone))
    const announce = (what: string, at: number) =>
      this.at(at, () => {
        this.expect(this.occurrence(`certificate ${what}`, training, at, String(number)))
        const isNewest = member.isActive && training.lastCertificate === number
        const isOptional = !isNewest && (member.endedAt === at || training.completedAt === at)
        if (isNewest || isOptional)
          this.expect({ ...this.occurrence(`mail certificate ${what}`, training, at, date), isOptional })
      })
    if (expiresAt > tickTime(tick) + CERTIFICATE_NOTICE)
      announce("expiring", firstTickFrom(expiresAt - CERTIFICATE_NOTICE))
    announce("expired", firstTickFrom(expiresAt))
  }

  private expires(training: Training) {
    if (training.exists) this.expect(this.occurrence("expired", training, firstTickFrom(training.expiresAt)))
  }

  private end(training: Training, tick: number) {
    training.isRequired = false
    training.endedAt = tick
    training.isOverdue = false
    training.version++
    const isRemoved = training.completedAt === undefined && training.rule.onLeave !== "keep"
    if (isRemoved && training.exists) {
      training.exists = false
      this.expect(this.occurrence("removed", training, tick))
    } else if (training.expiresAt > 0)
      this.plan(training, firstTickFrom(training.expiresAt), () => this.expires(training))
  }

  private occurrence(kind: string, training: Training, tick: number, more?: string): Occurrence {
    const { person, rule, cycle } = training
    const what = more ?? (kind.startsWith("mail") ? dateOfDay(Math.floor(tickTime(tick) / DAY)) : `cycle ${cycle}`)
    return { kind, key: `${person.email} ${rule.courseName} ${what}`, tick, training, cycle, person }
  }

  private expect(occurrence: Occurrence) {
    if (occurrence.tick > this.lastTick) return
    const key = `${occurrence.kind}: ${occurrence.key}`
    if (this.expected.has(key)) throw new Error(`The ledger expects ${key} twice.`)
    this.expected.set(key, occurrence)
  }

  /** Plans what happens to a training, unless something else happens to it before. */
  private plan(training: Training, tick: number, happen: () => void) {
    const { version } = training
    this.at(tick, () => {
      if (training.version === version) happen()
    })
  }

  private at(tick: number, happen: () => void) {
    if (tick > this.lastTick) return
    const planned = this.agenda.get(tick)
    if (planned) planned.push(happen)
    else this.agenda.set(tick, [happen])
  }
}

export const supervisorPerson = (): Person => ({
  ...{ name: "Supervisor", email: "supervisor@example.com", zone: ACADEMY_ZONE, joinsOn: 0, isInGroup: false },
  ...{ result: "Pass", draw: () => 0 },
})
