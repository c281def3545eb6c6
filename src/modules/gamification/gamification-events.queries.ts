import { and, eq, type SQL, sql } from "drizzle-orm"
import { badges } from "../../../drizzle/schema/badges.ts"
import { classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { type EventType, gamificationEvents as events } from "../../../drizzle/schema/gamification-events.ts"
import { learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import {
  deleteRecords,
  existingRecords,
  readRecord,
  requireExisting,
  requireVersion,
  updateRecord,
} from "../../db/records.ts"
import { searchFilter } from "../../db/search.ts"
import { counter, rowExists, SINGLE_ROW } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { invalid } from "../../lib/errors.ts"
import { eventColumns, eventFields } from "./gamification-event-fields.ts"
import type { EventChanges, NewEvent } from "./gamification-events.schemas.ts"

const existsWithId = (
  table: typeof classes | typeof courses | typeof learningPaths | typeof modules,
  id: number | SQL,
  type?: "quiz" | "assignment",
) => sql<number>`${rowExists(table, and(eq(table.id, id), type && eq(modules.type, type)))}`

/** Selects the event types for which a record with the id exists. */
const selectTargetTypes = (db: Database, id: number | SQL) =>
  db
    .select({
      course_completed: existsWithId(courses, id).as("is_course"),
      learning_path_completed: existsWithId(learningPaths, id).as("is_path"),
      quiz_passed: existsWithId(modules, id, "quiz").as("is_quiz"),
      assignment_accepted: existsWithId(modules, id, "assignment").as("is_assignment"),
      class_attended: existsWithId(classes, id).as("is_class"),
      login: sql<number>`0`.as("is_login"),
    })
    .from(SINGLE_ROW)

/** @throws 422 */
function requireTarget(type: EventType, targetId: number, found: Record<EventType, number>) {
  if (targetId === 0 || found[type]) return
  if (type === "login") throw invalid("targetId", "targetId must be omitted for a login.")
  throw invalid("targetId", `targetId does not refer to a record for ${type}: ${targetId}.`)
}

const badgeIds = (badgeId: number | null | undefined) => (badgeId ? [badgeId] : [])

/** Fails the batch if the badge was deleted. */
const guardBadgeExists = (work: UnitOfWork, badgeId: number | null) =>
  badgeIds(badgeId).map((id) => work.guard(rowExists(badges, eq(badges.id, id))))

/** @throws 422 */
function requireReward(row: { badgeId: number | null; points: number }) {
  if (row.badgeId === null && row.points === 0)
    throw invalid("points", "points must be 1 or more for an event without a badge.")
}

/** @throws 422 for an unknown badge or target, or an event without a reward */
export async function createEvent(work: UnitOfWork, input: NewEvent) {
  const { db } = work
  const row = eventFields.toInsert(input)
  const { name, type, badgeId } = row
  const [idRows, found, badgeRows] = await work.read([
    work.nextIds("gamification_events"),
    selectTargetTypes(db, row.targetId),
    existingRecords(db, badges, badgeIds(badgeId)),
  ])
  requireTarget(type, row.targetId, firstRow(found))
  requireExisting("badgeId", badgeIds(badgeId), badgeRows)
  requireReward(row)
  const id = firstRow(idRows).last
  return work.commit(
    [
      ...guardBadgeExists(work, badgeId),
      db.insert(events).values({ id, ...row, searchText: eventFields.searchText(row), createdAt: now() }),
      work.audit("created", "gamification event", { id, name }, row),
    ],
    { id, message: "Gamification event created." },
  )
}

/** @throws 404 */
export const getEvent = (db: Database, id: number) =>
  readRecord(db, { table: events, fields: eventColumns.fields, subject: "gamification event" }, id)

/** Changes the given fields. Existing awards stay. @throws 404, 412, 422 as in create */
export async function updateEvent(work: UnitOfWork, id: number, changes: EventChanges, expectedVersion?: number) {
  const { db } = work
  const stored = sql`(select ${events.targetId} from ${events} where ${events.id} = ${id})`
  const [rows, found, badgeRows] = await work.read([
    db.select().from(events).where(eq(events.id, id)),
    selectTargetTypes(db, changes.targetId ?? stored),
    existingRecords(db, badges, badgeIds(changes.badgeId)),
  ])
  const event = requireVersion(rows, "gamification event", expectedVersion)
  const next = eventFields.toUpdate(event, changes)
  // A deleted target does not prevent other changes.
  if (next.type !== event.type || next.targetId !== event.targetId)
    requireTarget(next.type, next.targetId, firstRow(found))
  requireExisting("badgeId", badgeIds(changes.badgeId), badgeRows)
  requireReward(next)
  return updateRecord(work, {
    table: events,
    record: event,
    next: { ...next, searchText: eventFields.searchText(next) },
    subject: "gamification event",
    name: next.name,
    answer: { message: "Gamification event updated." },
    details: next,
    before: guardBadgeExists(work, next.badgeId),
  })
}

/** Deletes events. Existing awards stay. */
export const deleteEvents = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: events, subject: "gamification event", name: events.name, ids })

/** Returns one page of events. */
export async function listEvents(db: Database, query: PageQuery & { search_param: { name?: string | undefined } }) {
  const { name } = query.search_param
  return readPage(
    db,
    {
      table: events,
      key: events.id,
      fields: eventColumns.fields,
      sort: eventColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [],
      search: name ? [searchFilter(events, name)] : [],
      total: counter("gamification_events"),
    },
    query,
  )
}
