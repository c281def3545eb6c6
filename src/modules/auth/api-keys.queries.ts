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
  guardUnchanged,
  readRecord,
  requireVersion,
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

function requireFuture(expiresAt: number) {
  if (expiresAt > 0 && expiresAt <= now()) throw invalid("expires_at", "expires_at must be in the future.")
}

/** @throws 403 for a role above the caller's, 422 for an expiry date in the past */
export async function createApiKey(work: UnitOfWork, input: NewApiKey) {
  const { db, caller, env } = work
  const { name, role, access, families = null, scopes = [], expires_at: expiresAt = 0 } = input
  requireKeyRole(caller, role)
  requireFuture(expiresAt)
  const [newIds] = await work.read([work.nextIds("api_keys")])
  const id = firstRow(newIds).last
  const { key, hash } = createKey(env, id)
  const row = { name, role, access, families, scopes, expiresAt }
  return work.commit(
    [
      db.insert(apiKeys).values({ ...row, id, hash, createdBy: userIdOf(caller), createdAt: now() }),
      work.audit("created", SUBJECT, { id, name }, { role, access, families, scopes, expiresAt }),
    ],
    { id, key, message: "API key created. Copy it now: it won't be shown again." },
  )
}

/** @throws 404 */
export const getApiKey = (db: Database, id: number) =>
  readRecord(db, { table: apiKeys, fields: apiKeyColumns.fields, subject: "API key" }, id)

/** One page of keys, newest first. */
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

/** A key that the caller may change. @throws 403, 404, 412 */
async function requireChangeableKey(work: UnitOfWork, id: number, expectedVersion?: number) {
  const [rows] = await work.read([work.db.select().from(apiKeys).where(eq(apiKeys.id, id))])
  const key = requireVersion(rows, "API key", expectedVersion)
  requireKeyRole(work.caller, key.role)
  return key
}

/**
 * Updates the provided fields; later calls with the key use the new values.
 * @throws 403 for a role above the caller's, 404, 412, 422 for an expiry date in the past
 */
export async function updateApiKey(work: UnitOfWork, id: number, changes: ApiKeyChanges, expectedVersion?: number) {
  const record = await requireChangeableKey(work, id, expectedVersion)
  const { name = record.name, role = record.role, access = record.access, families = record.families } = changes
  const { scopes = record.scopes, expires_at: expiry } = changes
  const expiresAt = expiry === undefined ? record.expiresAt : expiry === null ? 0 : shiftDate(record.expiresAt, expiry)
  requireKeyRole(work.caller, role)
  if (expiresAt !== record.expiresAt) requireFuture(expiresAt)
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

/** Replaces the secret of a key; the previous key and its tokens stop working immediately. @throws 403, 404 */
export async function rotateApiKey(work: UnitOfWork, id: number) {
  const record = await requireChangeableKey(work, id)
  const { key, hash } = createKey(work.env, id)
  const { name, version } = record
  const generation = record.generation + 1
  const { statements, notify: tell } = endKeys(work, [id])
  const answer = await work.commit(
    [
      guardUnchanged(apiKeys, record),
      work.db
        .update(apiKeys)
        .set({ hash, generation, version: version + 1 })
        .where(eq(apiKeys.id, id)),
      work.audit("updated", SUBJECT, { id, name }, { generation }),
      ...statements,
    ],
    {
      id,
      key,
      message: "API key regenerated. Copy it now: it won't be shown again. The previous key no longer works.",
    },
  )
  await tell()
  return answer
}

/** Deletes keys, which stop working immediately with their tokens. Only owners can delete keys with the role owner. */
export async function deleteApiKeys(work: UnitOfWork, ids: number[]) {
  const ended: ReturnType<typeof endKeys>[] = []
  const answer = await deleteRecords(work, {
    table: apiKeys,
    subject: SUBJECT,
    name: apiKeys.name,
    ids,
    ...(!hasRole(work.caller, "owner") && {
      undeletable: { when: eq(apiKeys.role, "owner"), because: "they have the role owner" },
    }),
    before: (deletedIds) => {
      const ending = endKeys(work, deletedIds)
      ended.push(ending)
      return ending.statements
    },
  })
  for (const { notify: tell } of ended) await tell()
  return answer
}
