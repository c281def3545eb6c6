import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { type ExternalIdObject, externalIds } from "../../drizzle/schema/external-ids.ts"
import { type Caller, canSeeAllUsers } from "../lib/caller.ts"
import { taken } from "../lib/errors.ts"
import type { ExternalIdInput } from "../lib/input/external-id.ts"
import { readJson } from "../lib/text/json.ts"
import type { Database } from "./client.ts"
import { insertFrom, jsonField } from "./insert-from.ts"
import type { Filter } from "./list/listing.ts"
import { rowExists, rowList, subquery } from "./sql.ts"
import type { Statement } from "./statements.ts"

// The ids that users, courses, groups and classes have in other systems. An id is unique for each kind of record and
// source. Staff and above can see and change them.

/** The source of the external ids that a caller writes: their API key, or `manual`. */
export const externalIdSourceOf = ({ kind, id }: Caller): string => (kind === "key" ? `key:${-id}` : "manual")

const sourceOf = (caller: Caller, { externalIdSource }: ExternalIdInput) =>
  externalIdSource ?? externalIdSourceOf(caller)

/** The errors of a batch that writes an external id that another record has. */
export const UNIQUE_EXTERNAL_ID = {
  "external_ids.object": () => taken("externalId", "externalId is already used by another record of this source."),
}

/** All external ids of a record as JSON by source, for a list. */
export const externalIdsBySource = (object: ExternalIdObject, id: SQLWrapper): SQL<string> =>
  subquery(sql<string>`(
    select json_group_object(${externalIds.source}, ${externalIds.externalId}) from ${externalIds}
    where ${externalIds.object} = ${sql.raw(`'${object}'`)} and ${externalIds.objectId} = ${id}
  )`)

/** A record's external id in the caller's system, as an expression; null: none. */
export const externalIdOf = (object: ExternalIdObject, id: SQLWrapper, caller: Caller): SQL<string | null> =>
  subquery(sql<string | null>`(
    select ${externalIds.externalId} from ${externalIds}
    where ${externalIds.object} = ${object} and ${externalIds.objectId} = ${id}
      and ${externalIds.source} = ${externalIdSourceOf(caller)}
  )`)

/** The ids of the records with an external id in the caller's system: one or none. */
export const idsByExternalId = (object: ExternalIdObject, caller: Caller, externalId: string): SQL =>
  sql`select ${externalIds.objectId} as id from ${externalIds}
    where ${externalIds.object} = ${object} and ${externalIds.source} = ${externalIdSourceOf(caller)}
      and ${externalIds.externalId} = ${externalId}`

/** Reads external ids by source as `externalIdsBySource` selects them. */
export const parseExternalIds = (json: string) => (json === "{}" ? {} : (readJson(json) as Record<string, string>))

/** The id of the record with an external id, as an expression: null if there is none. */
export const idByExternalId = (
  object: ExternalIdObject,
  caller: Caller,
  input: { externalId: string } & ExternalIdInput,
) =>
  sql<number | null>`(
    select ${externalIds.objectId} from ${externalIds}
    where ${externalIds.object} = ${object} and ${externalIds.source} = ${sourceOf(caller, input)}
      and ${externalIds.externalId} = ${input.externalId}
  )`

/** Selects the external ids of a record, for `changeExternalId`. */
export const selectExternalIds = (db: Database, object: ExternalIdObject, objectId: number) =>
  db
    .select({ source: externalIds.source, externalId: externalIds.externalId })
    .from(externalIds)
    .where(sql`${externalIds.object} = ${object} and ${externalIds.objectId} = ${objectId}`)

interface SourcedId {
  source: string
  externalId: string
}

/** The fields of a record's details. @param json as selected with `externalIdsBySource` */
export function toExternalIds(caller: Caller, json: string) {
  const all = canSeeAllUsers(caller) ? parseExternalIds(json) : {}
  const externalIds = Object.entries(all).map(([source, externalId]) => ({ source, externalId }))
  return { externalId: all[externalIdSourceOf(caller)] ?? null, externalIds }
}

interface ExternalIdChange {
  /** Whether the batch writes something. */
  changes: boolean
  statements: Statement[]
  /** For the audit row. */
  details: { externalId?: string | null; externalIdSource?: string }
}

/**
 * Plans the change of a record's external id. Commit it with `UNIQUE_EXTERNAL_ID`.
 * @param current the record's external ids before the change
 */
export function changeExternalId(
  db: Database,
  { object, id, caller }: { object: ExternalIdObject; id: number; caller: Caller },
  input: ExternalIdInput,
  current: SourcedId[] = [],
): ExternalIdChange {
  const { externalId } = input
  const source = sourceOf(caller, input)
  const before = current.find((row) => row.source === source)?.externalId ?? null
  if (externalId === undefined || externalId === before || !canSeeAllUsers(caller))
    return { changes: false, statements: [], details: {} }
  const ofRecord = sql`${externalIds.object} = ${object} and ${externalIds.objectId} = ${id}
    and ${externalIds.source} = ${source}`
  const { object: objectColumn, objectId, source: sourceColumn } = externalIds
  return {
    changes: true,
    statements: [
      externalId === null
        ? db.delete(externalIds).where(ofRecord)
        : db
            .insert(externalIds)
            .values({ object, source, externalId, objectId: id })
            .onConflictDoUpdate({ target: [objectColumn, objectId, sourceColumn], set: { externalId } }),
    ],
    details: { externalId, externalIdSource: source },
  }
}

/** Writes the external ids of many existing records in one statement. Those without one are skipped. */
export function writeExternalIds(
  db: Database,
  object: ExternalIdObject,
  source: string,
  records: { objectId: number; externalId: string | undefined }[],
): Statement[] {
  const rows = records.filter(({ externalId }) => externalId !== undefined)
  if (rows.length === 0) return []
  return [
    insertFrom(
      db,
      externalIds,
      { object, source, externalId: jsonField("externalId"), objectId: jsonField("objectId") },
      sql`from ${rowList(rows)} where true`,
    ).onConflictDoUpdate({
      target: [externalIds.object, externalIds.objectId, externalIds.source],
      set: { externalId: sql`excluded.external_id` },
    }),
  ]
}

/** The filter of a list by external id. Below staff it finds nothing. */
export function externalIdFilters(
  object: ExternalIdObject,
  id: SQLWrapper,
  caller: Caller,
  input: ExternalIdInput,
): Filter[] {
  const { externalId } = input
  if (!externalId) return []
  const matches = sql`${externalIds.object} = ${object} and ${externalIds.source} = ${sourceOf(caller, input)}
    and ${externalIds.externalId} = ${externalId} and ${canSeeAllUsers(caller) ? 1 : 0}`
  return [
    {
      test: rowExists(externalIds, sql`${matches} and ${externalIds.objectId} = ${id}`),
      ids: sql`select ${externalIds.objectId} as id from ${externalIds} where ${matches}`,
    },
  ]
}
