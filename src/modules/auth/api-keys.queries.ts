import { eq } from "drizzle-orm"
import { apiKeys } from "../../../drizzle/schema/api-keys.ts"
import { requireKeyRole } from "../../access/credentials.ts"
import { createKey } from "../../access/keys.ts"
import { endKeys } from "../../access/revocations.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import {
  changedFields,
  deleteRecords,
  readOne,
  requireVersion,
  unchangedAnswer,
  updateRecord,
} from "../../db/records.ts"
import { counter } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { hasRole, userIdOf } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { invalid } from "../../lib/errors.ts"
import { shiftDate } from "../../lib/text/dates.ts"
import { apiKeyColumns } from "./api-key-columns.ts"
import type { ApiKeyChanges, NewApiKey } from "./api-keys.schemas.ts"

const SUBJECT = "api key"

function requireAhead(expiresAt: number) {
  if (expiresAt > 0 && expiresAt <= now()) throw invalid("expires_at", "expires_at must be in the future.")
}

/** @throws 403 for a role above the caller's, 422 for an end that has passed */
export async function createApiKey(work: UnitOfWork, input: NewApiKey) {
  const { db, caller, env } = work
  const { name, role, access, families = null, scopes = [], expires_at: expiresAt = 0 } = input
  requireKeyRole(caller, role)
  requireAhead(expiresAt)
  const [given] = await work.read([work.nextIds("api_keys")])
  const id = firstRow(given).last
  const { key, hash } = createKey(env, id)
  const row = { name, role, access, families, scopes, expiresAt }
  return work.commit(
    [
      db.insert(apiKeys).values({ ...row, id, hash, createdBy: userIdOf(caller), createdAt: now() }),
      work.audit("created", SUBJECT, { id, name }, { role, access, families, scopes, expiresAt }),
    ],
    { id, key, message: "API key created. Keep it: it is told this once." },
  )
}

/** @throws 404 */
export const getApiKey = (db: Database, id: number) =>
  readOne(db, { table: apiKeys, fields: apiKeyColumns.fields, subject: "API key" }, id)

/** One page of keys, the newest first. */
export const listApiKeys = (db: Database, query: PageQuery) =>
  readPage(
    db,
    {
      table: apiKeys,
      key: apiKeys.id,
      fields: apiKeyColumns.fields,
      sort: apiKeyColumns.sort,
      defaultSort: { colName: "id", direction: "desc" },
      scope: [],
      search: [],
      total: counter("api_keys"),
    },
    query,
  )

/** The key that a change is about, which is the caller's to change. @throws 403, 404, 412 */
async function changeable(work: UnitOfWork, id: number, demanded?: number) {
  const [rows] = await work.read([work.db.select().from(apiKeys).where(eq(apiKeys.id, id))])
  const key = requireVersion(rows, "API key", demanded)
  requireKeyRole(work.caller, key.role)
  return key
}

/**
 * Changes the given fields and leaves the others; from then on calls are held to them.
 * @throws 403 for a role above the caller's, 404, 412, 422 for an end that has passed
 */
export async function updateApiKey(work: UnitOfWork, id: number, changes: ApiKeyChanges, demanded?: number) {
  const record = await changeable(work, id, demanded)
  const { name = record.name, role = record.role, access = record.access, families = record.families } = changes
  const { scopes = record.scopes, expires_at: given } = changes
  const expiresAt = given === undefined ? record.expiresAt : given === null ? 0 : shiftDate(record.expiresAt, given)
  requireKeyRole(work.caller, role)
  if (expiresAt !== record.expiresAt) requireAhead(expiresAt)
  const next = { name, role, access, families, scopes, expiresAt }
  const changed = Object.keys(changedFields(record, next)).length > 0
  const { statements, notify: tell } = endKeys(work, changed ? [id] : [])
  const answer = await updateRecord(work, {
    table: apiKeys,
    record,
    next,
    subject: SUBJECT,
    name,
    answer: { message: "API key updated." },
    before: statements,
  })
  await tell()
  return answer
}

/** Makes a key anew: the one before, and the tokens that it was exchanged for, stop at once. @throws 403, 404 */
export async function rotateApiKey(work: UnitOfWork, id: number) {
  const record = await changeable(work, id)
  const { key, hash } = createKey(work.env, id)
  const { name, version } = record
  const generation = record.generation + 1
  const { statements, notify: tell } = endKeys(work, [id])
  const answer = await work.commit(
    [
      unchangedAnswer(work, apiKeys, record),
      work.db
        .update(apiKeys)
        .set({ hash, generation, version: version + 1 })
        .where(eq(apiKeys.id, id)),
      work.audit("updated", SUBJECT, { id, name }, { generation }),
      ...statements,
    ],
    { id, key, message: "API key made anew. Keep it: it is told this once. The key before it has stopped." },
  )
  await tell()
  return answer
}

/** Deletes keys: they and their tokens stop at once. An owner's are an owner's to delete. */
export async function deleteApiKeys(work: UnitOfWork, ids: number[]) {
  const ended: ReturnType<typeof endKeys>[] = []
  const answer = await deleteRecords(work, {
    table: apiKeys,
    subject: SUBJECT,
    name: apiKeys.name,
    ids,
    ...(!hasRole(work.caller, "owner") && {
      kept: { when: eq(apiKeys.role, "owner"), because: "they have an owner's role" },
    }),
    before: (going) => {
      const ending = endKeys(work, going)
      ended.push(ending)
      return ending.statements
    },
  })
  for (const { notify: tell } of ended) await tell()
  return answer
}
