import { eq, sql } from "drizzle-orm"
import type { BatchResponse } from "drizzle-orm/batch"
import type { RowError } from "../../../drizzle/schema/bulk-uploads.ts"
import { groups } from "../../../drizzle/schema/groups.ts"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { UPLOAD_SOURCE, userSources, users } from "../../../drizzle/schema/users.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { idList, rowCount, rowExists, userRecords } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { DAY, now } from "../../lib/clock.ts"
import { hashPassword } from "../../lib/crypto/password.ts"
import type { Assets } from "../../lib/crypto/well-known-passwords.ts"
import { classEnrollmentStatements } from "../classes/class-enrollments.queries.ts"
import { enrollStatements } from "../enrollments/enrollments.queries.ts"
import { joinGroup } from "../organizations/group-members.ts"
import { type FieldDefinition, type UserFieldValue, writeMetas } from "../users/custom-field-values.ts"
import { fieldsInOrder } from "../users/custom-fields.queries.ts"
import { refusedAddresses } from "../users/email-rules.queries.ts"
import { inviteUsers, welcomeUsers } from "../users/invitations.queries.ts"
import { insertUsers } from "../users/new-users.ts"
import {
  displayEmail,
  emailKeyOf,
  hasValidEmail,
  type NewUser,
  type UploadRow,
  validateRow,
} from "./bulk-upload-rows.ts"
import {
  type BulkUploadTarget,
  classesOpen,
  classReads,
  classSeats,
  courseCount,
  courseSeats,
  coursesWithinSeats,
  type SeatAllocation,
  seatReads,
} from "./bulk-upload-seats.ts"

// Validates rows against the database and writes their users and enrollments in one batch.

/** Reads what the validation of the rows needs, in one round trip. */
export const contextReads = (db: Database, places: BulkUploadTarget, addresses: string[]) =>
  [
    fieldsInOrder(db),
    db
      .select({ id: users.id, email: users.email, disabled: users.disabled })
      .from(sql`json_each(${JSON.stringify(addresses)}) as input`)
      .innerJoin(users, sql`${users.email} collate nocase = input.value`),
    db
      .select({ id: memberships.id, expiresAfterDays: memberships.expiresAfterDays })
      .from(memberships)
      .where(eq(memberships.id, places.membershipId ?? 0)),
    db
      .select({ id: groups.id })
      .from(groups)
      .where(eq(groups.id, places.groupId ?? 0)),
    db.select({ id: userSources.id }).from(userSources).where(eq(userSources.id, places.sourceId)),
    refusedAddresses(db, addresses),
    ...seatReads(db, places, addresses),
    ...classReads(db, places, addresses),
  ] as const

export interface UploadContext {
  fields: FieldDefinition[]
  /** IDs of existing users by their addresses in lower case. */
  userIdsByEmail: ReadonlyMap<string, number>
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
  userIdsByEmail: new Map(known.map((user) => [user.email.toLowerCase(), user.id])),
  disabled: new Set(known.filter((user) => user.disabled).map((user) => user.id)),
  membership,
  group,
  source,
  refusedEmails: new Set(refused.map((row) => row.address)),
  courses: courseSeats(courses, inCourses),
  classes: classSeats(classes, inClasses),
})

export const emailKeysOf = (rows: readonly UploadRow[]): string[] => rows.map(emailKeyOf).filter(Boolean)

export interface UploadResults {
  newUsers: NewUser[]
  /** IDs of existing users. */
  existing: number[]
  errors: RowError[]
}

/** @returns the ID of an existing user, a new user, or errors */
async function resolveRow(
  row: UploadRow,
  context: UploadContext,
  assets: Assets,
): Promise<number | NewUser | string[]> {
  if (row.duplicateOf !== undefined) return [`email is that of row ${row.duplicateOf} too; the first one counts.`]
  const known = hasValidEmail(row) ? context.userIdsByEmail.get(emailKeyOf(row)) : undefined
  return known ?? validateRow(row, context.fields, context.refusedEmails, assets)
}

/** The reasons why the user cannot be enrolled. @param userId undefined: a new user */
function enrollmentErrors(userId: number | undefined, { courses, classes, disabled }: UploadContext): string[] {
  if (userId !== undefined && disabled.has(userId) && classes.entries.length > 0)
    return ["The user is disabled: a class takes no disabled users."]
  return [...courses.findErrors(userId), ...classes.findErrors(userId)]
}

/** Validates all rows. Rows of existing users need only the email address. */
export async function validateRows(
  rows: readonly UploadRow[],
  context: UploadContext,
  assets: Assets,
): Promise<UploadResults> {
  const results: UploadResults = { newUsers: [], existing: [], errors: [] }
  for (const row of rows) {
    const found = await resolveRow(row, context, assets)
    const userId = typeof found === "number" ? found : undefined
    const reasons = Array.isArray(found) ? found : enrollmentErrors(userId, context)
    if (Array.isArray(found) || reasons.length > 0) {
      results.errors.push({ row: row.row, email: displayEmail(row), reasons })
      continue
    }
    for (const seats of [context.courses, context.classes]) seats.take(userId)
    if (typeof found === "number") results.existing.push(found)
    else results.newUsers.push(found)
  }
  return results
}

/** The first of the IDs that are reserved for a set of rows, some of which may stay unused. */
export interface FirstIds {
  /** One for each row. */
  users: number
  /** One for each row and course. */
  enrollments: number
  /** One for each row and class. */
  classEnrollments: number
}

export const reserveIds = (work: UnitOfWork, places: BulkUploadTarget, rows: number) =>
  [
    work.nextIds("users", rows),
    work.nextIds("enrollments", sql`${rows} * ${courseCount(places)}`),
    work.nextIds("class_enrollments", rows * places.classIds.length),
  ] as const

export const toFirstIds = (
  [users, registrations, inClasses]: { last: number }[][],
  { classIds }: BulkUploadTarget,
  { courses }: UploadContext,
  rows: number,
): FirstIds => ({
  users: firstRow(users ?? []).last - rows + 1,
  enrollments: firstRow(registrations ?? []).last - rows * courses.entries.length + 1,
  classEnrollments: firstRow(inClasses ?? []).last - rows * classIds.length + 1,
})

export interface RowWrites {
  statements: Statement[]
  /** Sends the emails after the commit. */
  dispatch: () => void
}

/**
 * Returns the statements that write the rows. They fail if a user was created or deleted since the validation; a group
 * or membership that was deleted is ignored.
 * @param baseUrl the origin of links in emails
 */
export async function writeRows(
  work: UnitOfWork,
  { newUsers: newcomers, existing }: UploadResults,
  { membership, group, source, courses, classes }: UploadContext,
  { places, baseUrl, ids, uploadId }: { places: BulkUploadTarget; baseUrl: string; ids: FirstIds; uploadId: number },
): Promise<RowWrites> {
  const { db } = work
  const at = now()
  const created: (NewUser & { id: number; passwordHash: string | null })[] = []
  for (const person of newcomers) {
    const { password } = person
    const passwordHash = password === undefined ? null : await hashPassword(password, { background: true })
    created.push({ ...person, id: ids.users + created.length, passwordHash })
  }
  const createdIds = created.map((user) => user.id)
  const everyone = [...createdIds, ...existing]
  const metas: UserFieldValue[] = created.flatMap((user) =>
    user.metas.map(({ field, value }) => ({ userId: user.id, fieldId: field.id, value })),
  )
  const [invited, welcomed] = [
    created.filter((user) => !user.passwordHash),
    created.filter((user) => user.passwordHash),
  ]
  const mails = [inviteUsers(work, baseUrl, invited), welcomeUsers(work, baseUrl, welcomed)]
  const afterId = ids.enrollments - 1
  const registrations = [
    { userIds: everyone, courseIds: courses.forEveryone, afterId },
    // Only new users get the membership and its courses.
    {
      userIds: createdIds,
      courseIds: courses.forNewUsers,
      afterId: afterId + everyone.length * courses.forEveryone.length,
      among: {
        courses: rowExists(memberships, sql`${memberships.id} = ${places.membershipId}`),
      },
    },
  ]
  const auditDetails = sql`json_object(
    'email', ${users.email}, 'userType', ${users.userType}, 'bulkUpload', ${uploadId}
  )`
  const membershipExpiresAt = membership?.expiresAfterDays ? at + membership.expiresAfterDays * DAY : null
  return {
    statements: [
      ...(existing.length > 0
        ? [work.guard(eq(rowCount(users, sql`${users.id} in ${idList(existing)}`), existing.length))]
        : []),
      ...(created.length > 0
        ? [
            insertUsers(db, created, {
              sourceId: source?.id ?? UPLOAD_SOURCE,
              membershipId: places.membershipId,
              membershipExpiresAt,
              createdAt: at,
            }),
            ...writeMetas(db, metas),
            work.auditMany("created", "user", userRecords(sql`${users.id} in ${idList(createdIds)}`, auditDetails)),
          ]
        : []),
      ...(places.groupId !== null && everyone.length > 0 ? [joinGroup(db, places.groupId, everyone)] : []),
      ...registrations
        .filter(({ userIds, courseIds }) => userIds.length * courseIds.length > 0)
        .flatMap(({ afterId, ...registration }) =>
          enrollStatements(work, { ...registration, groupId: group?.id }, afterId),
        ),
      ...(courses.assignedIds.size > 0
        ? [work.guard(coursesWithinSeats([...courses.assignedIds], places.groupId))]
        : []),
      ...(classes.assignedIds.size > 0
        ? [
            ...classEnrollmentStatements(
              work,
              { userIds: everyone, classIds: classes.forEveryone, groupId: group?.id },
              ids.classEnrollments - 1,
            ),
            work.guard(classesOpen([...classes.assignedIds])),
          ]
        : []),
      ...mails.flatMap((mail) => mail.statements),
    ],
    dispatch: () => {
      for (const mail of mails) mail.dispatch()
    },
  }
}
