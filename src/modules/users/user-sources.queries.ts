import { eq, sql } from "drizzle-orm"
import { userSources, users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { deleteRecords, readRecord, requireVersion, updateRecord } from "../../db/records.ts"
import { counter, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { invalid } from "../../lib/errors.ts"
import { userSourceColumns, userSourceFields } from "./user-source-fields.ts"
import type { NewUserSource, UserSourceChanges } from "./user-sources.schemas.ts"

/** The service's own sources: API, Bulk upload, Sample data. It writes their ids itself. */
const BUILT_IN = 3

const UNIQUE = {
  "user_sources.identifier": () => invalid("identifier", "identifier is taken: another source has it already."),
}

/** @throws 422 when the identifier is taken */
export async function createUserSource(work: UnitOfWork, input: NewUserSource) {
  const { name, identifier } = input
  const row = userSourceFields.toInsert(input)
  return work.create(
    "user_sources",
    {
      statements: (id) => [
        work.db.insert(userSources).values({ ...row, id }),
        work.audit("created", "user source", { id, name }, { identifier }),
      ],
      answer: (id) => ({ id, message: "User source created." }),
    },
    { unique: UNIQUE },
  )
}

/** @throws 404 */
export const getUserSource = (db: Database, id: number) =>
  readRecord(db, { table: userSources, fields: userSourceColumns.fields, subject: "user source" }, id)

/**
 * Changes the given fields and leaves the others.
 * @throws 404, 412, 422 when the identifier is taken or the service's own
 */
export async function updateUserSource(work: UnitOfWork, id: number, changes: UserSourceChanges, demanded?: number) {
  const [rows] = await work.read([work.db.select().from(userSources).where(eq(userSources.id, id))])
  const source = requireVersion(rows, "user source", demanded)
  const next = userSourceFields.toUpdate(source, changes)
  if (id <= BUILT_IN && next.identifier !== source.identifier)
    throw invalid("identifier", `identifier must stay ${source.identifier}: the service itself uses this source.`)
  return updateRecord(work, {
    table: userSources,
    record: source,
    next,
    subject: "user source",
    name: next.name,
    answer: { message: "User source updated." },
    unique: UNIQUE,
  })
}

/** Deletes sources; the service's own and those that users came from are kept. */
export const deleteUserSources = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: userSources,
    subject: "user source",
    name: userSources.name,
    ids,
    undeletable: {
      when: sql`(${userSources.id} <= ${BUILT_IN} or ${rowExists(users, eq(users.sourceId, userSources.id))})`,
      because: "they are built in or in use",
    },
  })

/** One page of sources, by name. */
export async function listUserSources(
  db: Database,
  query: PageQuery & { search_param?: { identifier?: string | undefined } },
) {
  const identifier = query.search_param?.identifier
  return readPage(
    db,
    {
      table: userSources,
      key: userSources.id,
      fields: userSourceColumns.fields,
      sort: userSourceColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [],
      search: identifier ? [{ test: eq(userSources.identifier, identifier) }] : [],
      total: counter("user_sources"),
    },
    query,
  )
}
