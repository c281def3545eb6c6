import { eq, sql } from "drizzle-orm"
import { classes } from "../../../drizzle/schema/classes.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { idList, rowExists, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { conflict } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"

// A class has as many seats as its location. Canceled enrollments take no seat.

const isClassLocation = eq(locations.id, classes.locationId)

/** The capacity of the class's location; 0: unlimited. */
export const locationCapacity = subquery(
  sql<number>`coalesce((select ${locations.capacity} from ${locations} where ${isClassLocation}), 0)`,
)

interface SeatCount {
  /** Enrollments that take a seat. */
  size: number
  /** 0: unlimited. */
  capacity: number
}

export const seatsLeft = ({ size, capacity }: SeatCount): number =>
  capacity > 0 ? Math.max(0, capacity - size) : Number.POSITIVE_INFINITY

/** @throws 409 when fewer seats are left than `wanted` */
export function requireClassSeats(wanted: number, seats: SeatCount) {
  const left = seatsLeft(seats)
  if (wanted <= left) return
  const needs = wanted === 1 ? "" : ` and this request needs ${wanted}`
  throw conflict(
    "no_seats_left",
    `The class has ${left === 0 ? "no seat" : pluralize(left, "seat")} left${needs}. Nothing was changed.`,
  )
}

/** @throws 409 when the new location of a class has too few seats */
export function requireLocationCapacity({ size, capacity }: SeatCount) {
  if (capacity === 0 || size <= capacity) return
  const enrolled = pluralize(size, "person is enrolled", "people are enrolled")
  throw conflict("no_seats_left", `The location has ${pluralize(capacity, "seat")}, and ${enrolled} in the class.`)
}

/** The condition that a class has more enrollments than seats. */
export const isOverCapacity = sql`(${locationCapacity} > 0 and ${classes.size} > ${locationCapacity})`

/** Fails the batch if one of these classes is over capacity. */
export const guardClassCapacity = (work: UnitOfWork, classIds: number[]): Statement =>
  work.guard(sql`not ${rowExists(classes, sql`${classes.id} in ${idList(classIds)} and ${isOverCapacity}`)}`)
