// The three rules of the simulation, as they are sent to the service. The ledger reads the same objects.

export interface Rule {
  key: "fixed" | "joined" | "yearly"
  courseName: string
  /** Days for which the course is accessible; 0: without end. */
  accessDays: number
  hasCertificate: boolean
  /** Whether only the members of the group are assigned. */
  ofGroup: boolean
  due: { type: "date"; date: string } | { type: "days"; days: number; from: "assignment" }
  graceDays: number
  skipWeekends: boolean
  recurrence?: { type: "yearly"; month: number; day: number; opensDaysBefore: number }
  reminders: { daysBefore: number[]; overdueEveryDays: number; copySupervisors: boolean }
  onLeave: "keep" | "remove_if_not_started" | "remove"
}

export const RULES: readonly Rule[] = [
  {
    key: "fixed",
    courseName: "Code of conduct",
    accessDays: 0,
    hasCertificate: false,
    ofGroup: false,
    due: { type: "date", date: "2024-03-31" },
    graceDays: 0,
    skipWeekends: false,
    reminders: { daysBefore: [30, 7], overdueEveryDays: 45, copySupervisors: false },
    onLeave: "keep",
  },
  {
    key: "joined",
    courseName: "First aid",
    accessDays: 0,
    hasCertificate: false,
    ofGroup: true,
    due: { type: "days", days: 45, from: "assignment" },
    graceDays: 3,
    skipWeekends: true,
    reminders: { daysBefore: [14, 3, 0], overdueEveryDays: 30, copySupervisors: true },
    onLeave: "remove_if_not_started",
  },
  {
    key: "yearly",
    courseName: "Fire safety",
    accessDays: 420,
    hasCertificate: true,
    ofGroup: true,
    due: { type: "days", days: 30, from: "assignment" },
    graceDays: 0,
    skipWeekends: false,
    recurrence: { type: "yearly", month: 6, day: 30, opensDaysBefore: 60 },
    reminders: { daysBefore: [21, 2], overdueEveryDays: 60, copySupervisors: false },
    onLeave: "remove",
  },
]
