import { eq, sql } from "drizzle-orm"
import { classes } from "../../../drizzle/schema/classes.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { idList, rowExists, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { conflict } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"

// A class has as many seats as its location has room for; cancelled places take none.

const itsLocation = eq(locations.id, classes.locationId)

/** How many people the class's location has room for; 0: any number. */
export const locationCapacity = subquery(
  sql<number>`coalesce((select ${locations.capacity} from ${locations} where ${itsLocation}), 0)`,
)

interface Room {
  /** How many hold a place. */
  size: number
  /** 0: any number. */
  capacity: number
}

/** How many more people there is room for. */
export const seatsLeft = ({ size, capacity }: Room): number =>
  capacity > 0 ? Math.max(0, capacity - size) : Number.POSITIVE_INFINITY

/** @throws 409 where there are fewer seats left than wanted */
export function requireClassSeats(wanted: number, room: Room) {
  const left = seatsLeft(room)
  if (wanted <= left) return
  const needs = wanted === 1 ? "" : ` and this call needs ${wanted}`
  throw conflict(
    "no_seats_left",
    `The class has ${left === 0 ? "no seat" : pluralize(left, "seat")} left${needs}. Nothing was changed.`,
  )
}

/** @throws 409 where more people hold places in a class than its new location has room for */
export function requireLocationCapacity({ size, capacity }: Room) {
  if (capacity === 0 || size <= capacity) return
  const held = pluralize(size, "person holds a place", "people hold places")
  throw conflict("no_seats_left", `The location has room for ${capacity}, and ${held} in the class.`)
}

/** The condition that more people hold places in a class than its location has room for. */
export const isOverCapacity = sql`(${locationCapacity} > 0 and ${classes.size} > ${locationCapacity})`

/** Makes the batch fail where by now one of these classes has more people than room. */
export const guardClassCapacity = (work: UnitOfWork, classIds: number[]): Statement =>
  work.guard(sql`not ${rowExists(classes, sql`${classes.id} in ${idList(classIds)} and ${isOverCapacity}`)}`)
