import { eq } from "drizzle-orm"
import type { BatchResponse } from "drizzle-orm/batch"
import type { RowError, RowResult, UploadMode } from "../../../drizzle/schema/bulk-uploads.ts"
import { groups } from "../../../drizzle/schema/groups.ts"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { userSources } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { ERASED_MESSAGE } from "../../db/erased-users.ts"
import type { Caller } from "../../lib/caller.ts"
import type { Assets } from "../../lib/crypto/well-known-passwords.ts"
import type { FieldDefinition } from "../users/custom-field-values.ts"
import { fieldsInOrder } from "../users/custom-fields.queries.ts"
import { refusedAddresses } from "../users/email-rules.queries.ts"
import {
  type KnownUser,
  type RowKeys,
  selectMatchedUsers,
  type UserUpdate,
  validateUpdate,
} from "./bulk-upload-match.ts"
import {
  displayEmail,
  emailKeyOf,
  hasValidEmail,
  type NewUser,
  rowExternalId,
  type UploadRow,
  validateRow,
} from "./bulk-upload-rows.ts"
import {
  type BulkUploadTarget,
  classReads,
  classSeats,
  courseSeats,
  type SeatAllocation,
  seatReads,
} from "./bulk-upload-seats.ts"

/** Reads what the validation of the rows needs, in one round trip. */
export const contextReads = (db: Database, places: BulkUploadTarget, keys: RowKeys) =>
  [
    fieldsInOrder(db),
    selectMatchedUsers(db, keys),
    db
      .select({ id: memberships.id, expiresAfterDays: memberships.expiresAfterDays })
      .from(memberships)
      .where(eq(memberships.id, places.membershipId ?? 0)),
    db
      .select({ id: groups.id })
      .from(groups)
      .where(eq(groups.id, places.groupId ?? 0)),
    db.select({ id: userSources.id }).from(userSources).where(eq(userSources.id, places.sourceId)),
    refusedAddresses(db, keys.addresses),
    ...seatReads(db, places, keys),
    ...classReads(db, places, keys),
  ] as const

export interface UploadContext {
  fields: FieldDefinition[]
  /** Existing users by their addresses in lower case, and by their external ids. */
  usersByEmail: ReadonlyMap<string, KnownUser>
  usersByExternalId: ReadonlyMap<string, KnownUser>
  /** IDs of existing users that are disabled. */
  disabled: ReadonlySet<number>
  membership: { id: number; expiresAfterDays: number } | undefined
  group: { id: number } | undefined
  source: { id: number } | undefined
  /** Addresses in lower case that email rules refuse. */
  refusedEmails: ReadonlySet<string>
  courses: SeatAllocation
  classes: SeatAllocation
}

type ContextRows = BatchResponse<ReturnType<typeof contextReads>>

export const toContext = ([
  fields,
  known,
  [membership],
  [group],
  [source],
  refused,
  courses,
  inCourses,
  classes,
  inClasses,
]: ContextRows): UploadContext => ({
  fields,
  usersByEmail: new Map(known.map((user) => [user.email.toLowerCase(), user])),
  usersByExternalId: new Map(known.flatMap((user) => (user.externalId === null ? [] : [[user.externalId, user]]))),
  disabled: new Set(known.filter((user) => user.disabled).map((user) => user.id)),
  membership,
  group,
  source,
  refusedEmails: new Set(refused.map((row) => row.address)),
  courses: courseSeats(courses, inCourses),
  classes: classSeats(classes, inClasses),
})

/** What rows are matched by. */
export const rowKeysOf = (rows: readonly UploadRow[], { externalIdSource }: BulkUploadTarget): RowKeys => ({
  addresses: rows.map(emailKeyOf).filter(Boolean),
  externalIds: rows.flatMap((row) => rowExternalId(row).value ?? []),
  source: externalIdSource,
})

export interface UploadResults {
  newUsers: (NewUser & { row: number })[]
  /** Existing users that are not changed. */
  existing: { row: number; id: number }[]
  updates: (UserUpdate & { row: number })[]
  errors: RowError[]
}

/** What a row becomes: an existing user, the update of one, a new user, or errors. */
type Resolved = { existing: KnownUser } | { update: UserUpdate } | { created: NewUser } | { errors: string[] }

/** @returns what the row becomes */
async function resolveRow(row: UploadRow, context: UploadContext, options: ValidationOptions): Promise<Resolved> {
  const { mode, caller, assets } = options
  const { duplicate } = row
  if (duplicate) return { errors: [`${duplicate.column} is that of row ${duplicate.row} too; the first one counts.`] }
  const byEmail = hasValidEmail(row) ? context.usersByEmail.get(emailKeyOf(row)) : undefined
  const externalId = rowExternalId(row).value
  const byExternalId = externalId === undefined ? undefined : context.usersByExternalId.get(externalId)
  if (byEmail && byExternalId && byEmail.id !== byExternalId.id)
    return { errors: ["external_id is that of another user."] }
  const known = byExternalId ?? byEmail
  if (known?.isErased) return { errors: [ERASED_MESSAGE] }
  if (known && mode === "create") return { existing: known }
  if (known) {
    const update = validateUpdate(row, known, context.fields, caller)
    if (Array.isArray(update)) return { errors: update }
    return Object.keys(update.details).length > 0 ? { update } : { existing: known }
  }
  if (mode === "update") return { errors: ["No user has this email address or external_id."] }
  const created = await validateRow(row, context.fields, context.refusedEmails, assets)
  return Array.isArray(created) ? { errors: created } : { created }
}

/** What the validation of rows depends on. */
interface ValidationOptions {
  mode: UploadMode
  caller: Caller
  assets: Assets
}

/** The reasons why the user cannot be enrolled. @param userId undefined: a new user */
function enrollmentErrors(userId: number | undefined, { courses, classes, disabled }: UploadContext): string[] {
  if (userId !== undefined && disabled.has(userId) && classes.entries.length > 0)
    return ["The user is disabled: a class takes no disabled users."]
  return [...courses.findErrors(userId), ...classes.findErrors(userId)]
}

/** The ID of a row's existing user; undefined: a new one. */
function knownId(found: Resolved): number | undefined {
  if ("existing" in found) return found.existing.id
  return "update" in found ? found.update.user.id : undefined
}

/** Validates all rows. Rows of existing users need only what they are matched by. */
export async function validateRows(
  rows: readonly UploadRow[],
  context: UploadContext,
  options: ValidationOptions,
): Promise<UploadResults> {
  const results: UploadResults = { newUsers: [], existing: [], updates: [], errors: [] }
  /** The rows of existing users: one can be found by email address and another by external id. */
  const rowsByUser = new Map<number, number>()
  for (const source of rows) {
    const { row } = source
    const found = await resolveRow(source, context, options)
    const userId = knownId(found)
    const earlier = userId === undefined ? undefined : rowsByUser.get(userId)
    const reasons =
      "errors" in found
        ? found.errors
        : earlier === undefined
          ? enrollmentErrors(userId, context)
          : [`The user is that of row ${earlier} too; the first one counts.`]
    if ("errors" in found || reasons.length > 0) {
      results.errors.push({ row, email: displayEmail(source), reasons })
      continue
    }
    if (userId !== undefined) rowsByUser.set(userId, row)
    for (const seats of [context.courses, context.classes]) seats.take(userId)
    if ("existing" in found) results.existing.push({ row, id: found.existing.id })
    else if ("update" in found) results.updates.push({ row, ...found.update })
    else results.newUsers.push({ row, ...found.created })
  }
  return results
}

/** What became of each row. @param firstId the ID of the first new user; undefined for a dry run */
export const rowResults = (
  { newUsers, existing, updates, errors }: UploadResults,
  firstId: number | undefined,
): RowResult[] =>
  [
    ...newUsers.map(({ row }, at) => ({
      row,
      id: firstId === undefined ? null : firstId + at,
      result: "created" as const,
    })),
    ...existing.map(({ row, id }) => ({ row, id, result: "existing" as const })),
    ...updates.map(({ row, user }) => ({ row, id: user.id, result: "updated" as const })),
    ...errors.map(({ row }) => ({ row, id: null, result: "failed" as const })),
  ].sort((a, b) => a.row - b.row)
