import { type SQL, sql } from "drizzle-orm"
import { classTallies } from "../../../drizzle/classes.ts"

export const CLASS_STATUSES = ["Registered", "Attended", "No Show", "Cancelled"] as const
export type ClassStatus = (typeof CLASS_STATUSES)[number]

const COLUMN = {
  Registered: classTallies.registered,
  Attended: classTallies.attended,
  "No Show": classTallies.noShow,
  Cancelled: classTallies.cancelled,
} as const

/** The tallies' columns of some statuses together. */
export const countOf = (statuses: readonly ClassStatus[]): SQL =>
  sql.join(
    statuses.map((status) => sql`${COLUMN[status]}`),
    sql` + `,
  )

/** How many class enrolments of an audience have one of these statuses: the kept tally. @param classId 0: in any class */
export const classTally = (audience: string, classId: number, statuses: readonly ClassStatus[]): SQL<number> =>
  sql<number>`coalesce((select ${countOf(statuses)} from ${classTallies} where ${classTallies.audience} = ${audience} and ${classTallies.classId} = ${classId}), 0)`

/** An audience's tallies by status, to be selected. */
export const classTotals = (audience: string, classId: number) => ({
  registered: classTally(audience, classId, ["Registered"]).as("registered_count"),
  attended: classTally(audience, classId, ["Attended"]).as("attended_count"),
  noShow: classTally(audience, classId, ["No Show"]).as("no_show_count"),
  cancelled: classTally(audience, classId, ["Cancelled"]).as("cancelled_count"),
})
