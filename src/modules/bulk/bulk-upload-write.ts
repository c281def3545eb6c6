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
import { addressOf, hasAddress, judge, type Person, type Row, shownEmail } from "./bulk-upload-rows.ts"
import {
  classesHold,
  classReads,
  classSeats,
  courseCount,
  courseSeats,
  coursesHold,
  type Places,
  type Seats,
  seatReads,
} from "./bulk-upload-seats.ts"

// How rows become users: what has to be read, what then is known, and the statements that write it all in one batch.

/** What a set of rows is held against; the statements of one trip. */
export const surroundings = (db: Database, places: Places, addresses: string[]) =>
  [
    fieldsInOrder(db),
    db
      .select({ id: users.id, email: users.email, disabled: users.disabled })
      .from(sql`json_each(${JSON.stringify(addresses)}) as given`)
      .innerJoin(users, sql`${users.email} collate nocase = given.value`),
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

export interface Surroundings {
  fields: FieldDefinition[]
  /** Users' ids by their addresses in lower case. */
  known: ReadonlyMap<string, number>
  /** Ids of those of them that are disabled. */
  disabled: ReadonlySet<number>
  membership: { id: number; expiresAfterDays: number } | undefined
  group: { id: number } | undefined
  source: { id: number } | undefined
  /** Addresses in lower case that may have no account. */
  refused: ReadonlySet<string>
  courses: Seats
  classes: Seats
}

type Found = BatchResponse<ReturnType<typeof surroundings>>

/** What `surroundings` read. */
export const toSurroundings = ([
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
]: Found): Surroundings => ({
  fields,
  known: new Map(known.map((user) => [user.email.toLowerCase(), user.id])),
  disabled: new Set(known.filter((user) => user.disabled).map((user) => user.id)),
  membership,
  group,
  source,
  refused: new Set(refused.map((row) => row.address)),
  courses: courseSeats(courses, inCourses),
  classes: classSeats(classes, inClasses),
})

/** The addresses of rows, to be looked up; what is none is found by nobody. */
export const addressesOf = (rows: readonly Row[]): string[] => rows.map(addressOf).filter(Boolean)

/** What is to become of a set of rows. */
export interface UploadVerdict {
  newcomers: Person[]
  /** Ids of users who are there already. */
  existing: number[]
  errors: RowError[]
}

/** The user that a row is already, the person that it can become, or why it is neither. */
async function judged(row: Row, around: Surroundings, assets: Assets): Promise<number | Person | string[]> {
  if (row.repeats !== undefined) return [`email is that of row ${row.repeats} too; the first one counts.`]
  const known = hasAddress(row) ? around.known.get(addressOf(row)) : undefined
  return known ?? judge(row, around.fields, around.refused, assets)
}

/** Why somebody cannot be put into what the upload names. @param userId undefined: a user who is about to be created */
function obstacles(userId: number | undefined, { courses, classes, disabled }: Surroundings): string[] {
  if (userId !== undefined && disabled.has(userId) && classes.places.length > 0)
    return ["The user is disabled: a class takes no disabled users."]
  return [...courses.lacking(userId), ...classes.lacking(userId)]
}

/** Decides on every row. Of rows with one address the first counts; an address that is known needs nothing else. */
export async function decide(rows: readonly Row[], around: Surroundings, assets: Assets): Promise<UploadVerdict> {
  const verdict: UploadVerdict = { newcomers: [], existing: [], errors: [] }
  for (const row of rows) {
    const found = await judged(row, around, assets)
    const userId = typeof found === "number" ? found : undefined
    const reasons = Array.isArray(found) ? found : obstacles(userId, around)
    if (Array.isArray(found) || reasons.length > 0) {
      verdict.errors.push({ row: row.row, email: shownEmail(row), reasons })
      continue
    }
    for (const seats of [around.courses, around.classes]) seats.take(userId)
    if (typeof found === "number") verdict.existing.push(found)
    else verdict.newcomers.push(found)
  }
  return verdict
}

/** Ids that the first trip was given for a set of rows; they may be more than are needed. */
export interface Ids {
  /** Of the first newcomer; one for each row follows. */
  users: number
  /** Of the first enrollment; one for each row and course follows. */
  enrollments: number
  /** Of the first class enrollment; one for each row and class follows. */
  classEnrollments: number
}

/** The statements that give out ids for so many rows. */
export const idsFor = (work: UnitOfWork, places: Places, rows: number) =>
  [
    work.nextIds("users", rows),
    work.nextIds("enrollments", sql`${rows} * ${courseCount(places)}`),
    work.nextIds("class_enrollments", rows * places.classIds.length),
  ] as const

/** What `idsFor` gave. */
export const toIds = (
  [users, registrations, inClasses]: { last: number }[][],
  { classIds }: Places,
  { courses }: Surroundings,
  rows: number,
): Ids => ({
  users: firstRow(users ?? []).last - rows + 1,
  enrollments: firstRow(registrations ?? []).last - rows * courses.places.length + 1,
  classEnrollments: firstRow(inClasses ?? []).last - rows * classIds.length + 1,
})

export interface Landing {
  statements: Statement[]
  /** Sends the mails; after the batch. */
  dispatch: () => void
}

/**
 * The statements by which rows land. They fail as a whole when a user appeared or went since the rows were held against
 * their surroundings; a group or membership that went is passed over.
 * @param baseUrl what links in mails begin with
 */
export async function land(
  work: UnitOfWork,
  { newcomers, existing }: UploadVerdict,
  { membership, group, source, courses, classes }: Surroundings,
  { places, baseUrl, ids, uploadId }: { places: Places; baseUrl: string; ids: Ids; uploadId: number },
): Promise<Landing> {
  const { db } = work
  const at = now()
  const created: (Person & { id: number; passwordHash: string | null })[] = []
  for (const person of newcomers) {
    const passwordHash = person.password === undefined ? null : await hashPassword(person.password, { background: true })
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
    // A membership is given to newcomers alone, and with it its courses.
    {
      userIds: createdIds,
      courseIds: courses.forNewcomers,
      afterId: afterId + everyone.length * courses.forEveryone.length,
      among: {
        courses: rowExists(memberships, sql`${memberships.id} = ${places.membershipId}`),
      },
    },
  ]
  const told = sql`json_object('email', ${users.email}, 'userType', ${users.userType}, 'bulkUpload', ${uploadId})`
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
            work.auditMany("created", "user", userRecords(sql`${users.id} in ${idList(createdIds)}`, told)),
          ]
        : []),
      ...(places.groupId !== null && everyone.length > 0 ? [joinGroup(db, places.groupId, everyone)] : []),
      ...registrations
        .filter(({ userIds, courseIds }) => userIds.length * courseIds.length > 0)
        .flatMap(({ afterId, ...registration }) =>
          enrollStatements(work, { ...registration, groupId: group?.id }, afterId),
        ),
      ...(courses.filling.size > 0 ? [work.guard(coursesHold([...courses.filling], places.groupId))] : []),
      ...(classes.filling.size > 0
        ? [
            ...classEnrollmentStatements(
              work,
              { userIds: everyone, classIds: classes.forEveryone, groupId: group?.id },
              ids.classEnrollments - 1,
            ),
            work.guard(classesHold([...classes.filling])),
          ]
        : []),
      ...mails.flatMap((mail) => mail.statements),
    ],
    dispatch: () => {
      for (const mail of mails) mail.dispatch()
    },
  }
}
