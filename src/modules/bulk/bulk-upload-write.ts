import { eq, sql } from "drizzle-orm"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { UPLOAD_SOURCE, users } from "../../../drizzle/schema/users.ts"
import { firstRow } from "../../db/client.ts"
import { isErased } from "../../db/erased-users.ts"
import { writeExternalIds } from "../../db/external-ids.ts"
import { jsonField } from "../../db/insert-from.ts"
import { idList, rowCount, rowExists, rowList, userRecords } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { DAY, now } from "../../lib/clock.ts"
import { hashPassword } from "../../lib/crypto/password.ts"
import { fullName } from "../../lib/text/words.ts"
import { classEnrollmentStatements } from "../classes/class-enrollments.queries.ts"
import { enrollStatements } from "../enrollments/enrollments.queries.ts"
import { joinGroup } from "../organizations/group-members.ts"
import { renameUsers } from "../users/changed-users.ts"
import { type UserFieldValue, writeMetas } from "../users/custom-field-values.ts"
import { inviteUsers, welcomeUsers } from "../users/invitations.queries.ts"
import { insertUsers } from "../users/new-users.ts"
import type { UserUpdate } from "./bulk-upload-match.ts"
import type { NewUser } from "./bulk-upload-rows.ts"
import { type BulkUploadTarget, classesOpen, courseCount, coursesWithinSeats } from "./bulk-upload-seats.ts"
import type { UploadContext, UploadResults } from "./bulk-upload-validation.ts"

// Writes the users and enrollments of validated rows in one batch.

/** Statements that change existing users, with an audit row each. */
function updateStatements(work: UnitOfWork, updates: UserUpdate[]): Statement[] {
  if (updates.length === 0) return []
  const renamed = updates.map(({ user, firstName, lastName }) => ({
    id: user.id,
    email: user.email,
    firstName,
    lastName,
  }))
  const metas = updates.flatMap(({ user, metas }) =>
    metas.map(({ field, value }) => ({ userId: user.id, fieldId: field.id, value })),
  )
  const audited = updates.map(({ user, firstName, lastName, details }) => ({
    id: user.id,
    name: fullName({ firstName, lastName }),
    details,
  }))
  return [
    // Users whose names stay are written, too, for their versions.
    renameUsers(work.db, renamed),
    ...writeMetas(work.db, metas),
    work.auditMany(
      "updated",
      "user",
      sql`select ${jsonField("id")} as id, ${jsonField("name")} as name, ${jsonField("details")} as details
        from ${rowList(audited)}`,
    ),
  ]
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
 * Returns the statements that write the rows. They fail if a user was created, deleted or erased since the validation;
 * a group or membership that was deleted is ignored.
 * @param baseUrl the origin of links in emails
 */
export async function writeRows(
  work: UnitOfWork,
  { newUsers: newcomers, existing: unchanged, updates }: UploadResults,
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
  const existing = [...unchanged.map(({ id }) => id), ...updates.map(({ user }) => user.id)]
  const newExternalIds = [
    ...created.map(({ id, externalId }) => ({ objectId: id, externalId })),
    ...updates.map(({ user, externalId }) => ({ objectId: user.id, externalId })),
  ]
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
        ? [
            work.guard(
              eq(
                rowCount(users, sql`${users.id} in ${idList(existing)} and not ${isErased(users.id)}`),
                existing.length,
              ),
            ),
          ]
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
      ...updateStatements(work, updates),
      ...writeExternalIds(db, "user", places.externalIdSource, newExternalIds),
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
