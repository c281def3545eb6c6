import { eq, sql } from "drizzle-orm"
import { classes } from "../../../drizzle/schema/classes.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { deleteRecords, readRecord, requireVersion, updateRecord } from "../../db/records.ts"
import { searchFilter } from "../../db/search.ts"
import { counter, rowExists, SINGLE_ROW } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { conflict } from "../../lib/errors.ts"
import { locationColumns, locationFields } from "./location-fields.ts"
import type { LocationChanges, NewLocation } from "./locations.schemas.ts"

export async function createLocation(work: UnitOfWork, input: NewLocation) {
  const row = locationFields.toInsert(input)
  return work.create("locations", {
    statements: (id) => [
      work.db.insert(locations).values({ id, ...row, searchText: locationFields.searchText(row), createdAt: now() }),
      work.audit("created", "location", { id, name: row.name }, row),
    ],
    answer: (id) => ({ id, message: "Location created." }),
  })
}

/** @throws 404 */
export const getLocation = (db: Database, id: number) =>
  readRecord(db, { table: locations, fields: locationColumns.fields, subject: "location" }, id)

/** The size of the largest class at the location that has not ended. */
const largestClass = (id: number) =>
  sql<number>`coalesce((
    select max(${classes.size}) from ${classes}
    where ${classes.locationId} = ${id} and ${classes.endAt} > ${now()}
  ), 0)`

/** Changes the given fields and leaves the others. @throws 404, 412; 409 for less room than a class needs */
export async function updateLocation(work: UnitOfWork, id: number, changes: LocationChanges, demanded?: number) {
  const { db } = work
  const [rows, people] = await work.read([
    db.select().from(locations).where(eq(locations.id, id)),
    db.select({ most: largestClass(changes.capacity ? id : 0).as("most") }).from(SINGLE_ROW),
  ])
  const location = requireVersion(rows, "location", demanded)
  const next = locationFields.toUpdate(location, changes)
  const { capacity } = next
  const narrows = capacity > 0 && (location.capacity === 0 || capacity < location.capacity)
  if (narrows && firstRow(people).most > capacity)
    throw conflict(
      "seats_in_use",
      `${firstRow(people).most} people hold places in a class there: capacity cannot be ${capacity}.`,
    )
  return updateRecord(work, {
    table: locations,
    record: location,
    next: { ...next, searchText: locationFields.searchText(next) },
    subject: "location",
    name: next.name,
    answer: { message: "Location updated." },
    details: next,
    before: narrows ? [work.guard(sql`${largestClass(id)} <= ${capacity}`)] : [],
  })
}

export const deleteLocations = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: locations,
    subject: "location",
    name: locations.name,
    ids,
    undeletable: {
      when: rowExists(classes, eq(classes.locationId, locations.id)),
      because: "they are used by classes",
    },
  })

/** One page of locations. */
export async function listLocations(db: Database, query: PageQuery & { search_param: { name?: string | undefined } }) {
  const { name } = query.search_param
  return readPage(
    db,
    {
      table: locations,
      key: locations.id,
      fields: locationColumns.fields,
      sort: locationColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [],
      search: name ? [searchFilter(locations, name)] : [],
      total: counter("locations"),
    },
    query,
  )
}
