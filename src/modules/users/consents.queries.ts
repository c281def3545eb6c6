import { eq } from "drizzle-orm"
import { consents } from "../../../drizzle/schema/consents.ts"
import type { ConsentStatus } from "../../../drizzle/statuses.ts"
import { canSeeUser, guardUserExists, type OwnerParams, rowsInScope, selectVisibleUser } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { deleteRecords, readRecord, requireVersion, updateRecord } from "../../db/records.ts"
import { counter } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { forbidden, invalid } from "../../lib/errors.ts"
import { shiftDate } from "../../lib/text/dates.ts"
import { consentColumns } from "./consent-columns.ts"
import type { ConsentChanges, NewConsent } from "./consents.schemas.ts"

/**
 * Records that a user granted or refused consent. Callers below staff can record only their own, dated now.
 * @param address the IP address of the caller
 * @throws 422 for an unknown or missing user; 403 for fields that only staff can set
 */
export async function createConsent(work: UnitOfWork, input: NewConsent, address: string) {
  const { db, caller } = work
  const { consentId, status, country = "", userId = caller.id } = input
  if (userId === null) throw invalid("userId", "userId is required without a session.")
  if (!canSeeAllUsers(caller)) {
    if (userId !== caller.id) throw forbidden("Your role allows you to record only your own consent.", "self_only")
    if (input.consentDate !== undefined || input.ipAddress !== undefined)
      throw forbidden("Only staff can set consentDate and ipAddress. Remove them.")
  }
  const [newIds, owners] = await work.read([work.nextIds("user_consents"), selectVisibleUser(db, caller, userId)])
  if (owners.length === 0) throw invalid("userId", "userId does not match any user.")
  const id = firstRow(newIds).last
  const at = now()
  const row = { userId, consentId, status, country, consentAt: input.consentDate ?? at }
  return work.commit(
    [
      guardUserExists(work, userId),
      db.insert(consents).values({ ...row, id, ipAddress: input.ipAddress ?? address, createdAt: at }),
      work.audit("created", "consent", { id, name: consentId }, row),
    ],
    { id, message: "Consent recorded." },
  )
}

/** @throws 404 */
export const getConsent = (db: Database, caller: Caller, id: number) =>
  readRecord(
    db,
    { table: consents, fields: consentColumns.fields, subject: "consent" },
    id,
    canSeeUser(caller, consents.userId),
  )

/** Updates the provided fields. @throws 404, 412 */
export async function updateConsent(work: UnitOfWork, id: number, changes: ConsentChanges, expectedVersion?: number) {
  const [rows] = await work.read([work.db.select().from(consents).where(eq(consents.id, id))])
  const consent = requireVersion(rows, "consent", expectedVersion)
  const next = {
    consentId: changes.consentId ?? consent.consentId,
    status: changes.status ?? consent.status,
    country: changes.country ?? consent.country,
    consentAt: changes.consentDate ? shiftDate(consent.consentAt, changes.consentDate) : consent.consentAt,
    ipAddress: changes.ipAddress ?? consent.ipAddress,
  }
  return updateRecord(work, {
    table: consents,
    record: consent,
    next,
    subject: "consent",
    name: next.consentId,
    answer: { message: "Consent updated." },
  })
}

export const deleteConsents = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, { table: consents, subject: "consent", name: consents.consentId, ids })

interface ConsentSearch {
  userId?: number | undefined
  status?: ConsentStatus | undefined
}

export async function listConsents(
  db: Database,
  caller: Caller,
  query: PageQuery & OwnerParams & { search_param: ConsentSearch },
) {
  const { userId, status } = query.search_param
  const owned = {
    table: consents,
    key: consents.id,
    userId: consents.userId,
    kind: "learning",
    total: counter("user_consents"),
  } as const
  return readPage(
    db,
    {
      table: consents,
      key: consents.id,
      fields: consentColumns.fields,
      sort: consentColumns.sort,
      narrowedBy: "user_id, portalId, group_id or a search_param",
      defaultSort: { colName: "consentDate", direction: "desc" },
      ...rowsInScope(caller, owned, query),
      search: [
        ...(userId ? [{ test: eq(consents.userId, userId) }] : []),
        ...(status ? [{ test: eq(consents.status, status) }] : []),
      ],
    },
    query,
  )
}
