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

const withId = (
  table: typeof classes | typeof courses | typeof learningPaths | typeof modules,
  id: number | SQL,
  type?: "quiz" | "assignment",
) => sql<number>`${rowExists(table, and(eq(table.id, id), type && eq(modules.type, type)))}`

/** What an id could be a target as: for `requireTarget` after the first trip. */
const targets = (db: Database, id: number | SQL) =>
  db
    .select({
      course_completed: withId(courses, id).as("is_course"),
      learning_path_completed: withId(learningPaths, id).as("is_path"),
      quiz_passed: withId(modules, id, "quiz").as("is_quiz"),
      assignment_accepted: withId(modules, id, "assignment").as("is_assignment"),
      class_attended: withId(classes, id).as("is_class"),
      login: sql<number>`0`.as("is_login"),
    })
    .from(SINGLE_ROW)

/** @throws 422 */
function requireTarget(type: EventType, targetId: number, found: Record<EventType, number>) {
  if (targetId === 0 || found[type]) return
  if (type === "login") throw invalid("targetId", "targetId must be left out: a login is about no record.")
  throw invalid("targetId", `targetId names what does not exist, or no record that ${type} can be about: ${targetId}.`)
}

const chosen = (badgeId: number | null | undefined) => (badgeId ? [badgeId] : [])

/** Makes the batch fail where the badge that is given has gone. */
const badgeStays = (work: UnitOfWork, badgeId: number | null) =>
  chosen(badgeId).map((id) => work.guard(rowExists(badges, eq(badges.id, id))))

/** @throws 422 */
function requireGain(row: { badgeId: number | null; points: number }) {
  if (row.badgeId === null && row.points === 0)
    throw invalid("points", "points must be 1 or more where badgeId names no badge: the event would give nothing.")
}

/** @throws 422 for an unknown badge or target, or an event that gives nothing */
export async function createEvent(work: UnitOfWork, input: NewEvent) {
  const { db } = work
  const row = eventFields.toInsert(input)
  const { name, type, badgeId } = row
  const [given, found, badgeRows] = await work.read([
    work.nextIds("gamification_events"),
    targets(db, row.targetId),
    existingRecords(db, badges, chosen(badgeId)),
  ])
  requireTarget(type, row.targetId, firstRow(found))
  requireExisting("badgeId", chosen(badgeId), badgeRows)
  requireGain(row)
  const id = firstRow(given).last
  return work.commit(
    [
      ...badgeStays(work, badgeId),
      db.insert(events).values({ id, ...row, searchText: eventFields.searchText(row), createdAt: now() }),
      work.audit("created", "gamification event", { id, name }, row),
    ],
    { id, message: "Gamification event created." },
  )
}

/** @throws 404 */
export const getEvent = (db: Database, id: number) =>
  readRecord(db, { table: events, fields: eventColumns.fields, subject: "gamification event" }, id)

/** Changes the given fields and leaves the others. What was awarded stays. @throws 404, 412, 422 as in create */
export async function updateEvent(work: UnitOfWork, id: number, changes: EventChanges, demanded?: number) {
  const { db } = work
  const stored = sql`(select ${events.targetId} from ${events} where ${events.id} = ${id})`
  const [rows, found, badgeRows] = await work.read([
    db.select().from(events).where(eq(events.id, id)),
    targets(db, changes.targetId ?? stored),
    existingRecords(db, badges, chosen(changes.badgeId)),
  ])
  const event = requireVersion(rows, "gamification event", demanded)
  const next = eventFields.toUpdate(event, changes)
  // What it is about may have been deleted since: that hinders no other change.
  if (next.type !== event.type || next.targetId !== event.targetId)
    requireTarget(next.type, next.targetId, firstRow(found))
  requireExisting("badgeId", chosen(changes.badgeId), badgeRows)
  requireGain(next)
  return updateRecord(work, {
    table: events,
    record: event,
    next: { ...next, searchText: eventFields.searchText(next) },
    subject: "gamification event",
    name: next.name,
    answer: { message: "Gamification event updated." },
    details: next,
    before: badgeStays(work, next.badgeId),
  })
}

/** Deletes events. What they awarded stays. */
export const deleteEvents = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: events, subject: "gamification event", name: events.name, ids })

/** One page of events. */
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
