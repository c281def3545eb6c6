import { type AnyColumn, getTableColumns, type SQL, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { addresses } from "../../../drizzle/schema/addresses.ts"
import { announcements, announcementUsers } from "../../../drizzle/schema/announcements.ts"
import { apiKeyNames, apiKeys } from "../../../drizzle/schema/api-keys.ts"
import { assignmentUploads } from "../../../drizzle/schema/assignments.ts"
import { auditLogs, auditPeople } from "../../../drizzle/schema/audit.ts"
import { backgroundJobs } from "../../../drizzle/schema/background-jobs.ts"
import { badges, gamificationAwards, userBadges } from "../../../drizzle/schema/badges.ts"
import { bulkUploadChunks, bulkUploads } from "../../../drizzle/schema/bulk-uploads.ts"
import { cards } from "../../../drizzle/schema/cards.ts"
import { carts } from "../../../drizzle/schema/carts.ts"
import { categories, userCategories } from "../../../drizzle/schema/categories.ts"
import { certificates, certificateTemplates } from "../../../drizzle/schema/certificates.ts"
import { classEnrollments, classes, classMaterials } from "../../../drizzle/schema/classes.ts"
import { consents } from "../../../drizzle/schema/consents.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import { devices } from "../../../drizzle/schema/devices.ts"
import { emailRules } from "../../../drizzle/schema/email-rules.ts"
import { activities, enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { erasures } from "../../../drizzle/schema/erasures.ts"
import { readEventData, type StoredEventData } from "../../../drizzle/schema/event-definitions.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { groupAdmins, groupMembers, groups, supervisorScope } from "../../../drizzle/schema/groups.ts"
import { userScores } from "../../../drizzle/schema/leaderboard.ts"
import { learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { orders } from "../../../drizzle/schema/orders.ts"
import { mailings, outbox } from "../../../drizzle/schema/outbox.ts"
import { passwordLinks, temporaryPasswords } from "../../../drizzle/schema/passwords.ts"
import { pendingEmails } from "../../../drizzle/schema/pending-emails.ts"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { reviews } from "../../../drizzle/schema/reviews.ts"
import { scormAttempts, scormInteractions } from "../../../drizzle/schema/scorm.ts"
import { signUps } from "../../../drizzle/schema/sign-ups.ts"
import { ssoProviders, userIdentities } from "../../../drizzle/schema/sso.ts"
import { submissionFiles, submissions } from "../../../drizzle/schema/submissions.ts"
import { subscriptions } from "../../../drizzle/schema/subscriptions.ts"
import { idempotencyKeys, sessionRevocations } from "../../../drizzle/schema/system.ts"
import { recoveryCodes, twoFactor } from "../../../drizzle/schema/two-factor.ts"
import { users, userViewTypes } from "../../../drizzle/schema/users.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { textList } from "../../db/sql.ts"

// Where a person is: every table that holds a user's id, or words of or about them. What is told of it to whoever asks
// for all that is held about a person, and what their erasure does with it, is said here and nowhere else. A test walks
// the schema and fails for a column that is missing here.

/** A person, by all that they are called. */
export interface DataSubject {
  id: number
  /** Their addresses, as given and in lower case. */
  emails: string[]
  /** Their full names. */
  names: string[]
}

type Table = SQLiteTable
/** The condition that a row is a person's. */
type Whose = (person: DataSubject) => SQL

/** What an access to a person's data tells of a table. */
export interface Told {
  /** The file of the archive, without its ending: a family and a name. */
  file: string
  /** Whose rows they are. */
  rows: Whose
  /** By what the rows are paged, in this order: it is unique. */
  key: AnyColumn[]
  /** No index finds the rows: all of the table is passed, a span at a time. */
  passes?: true
  /** Secrets, and what only the service itself reads: columns that are not told. */
  withheld?: AnyColumn[]
  /** The columns that are told; all that are not withheld, unless given. */
  only?: AnyColumn[]
  /** Told beside the columns, or in the place of one: names of what its ids mean. */
  beside?: Record<string, SQL>
}

/**
 * What an erasure does with a table's rows.
 * - `kept`: they stay; what they hold of the person is the id alone, which is that of nobody by then.
 * - `at once`: the batch of the call itself sees to them.
 * - `deleted`: those that are the person's are deleted.
 * - `changed`: those that are the person's stay without the words, as long as `still` holds.
 * - `passed`: the job passes the whole table, or looks after it by itself (erasures.job.ts).
 * - `lapses`: sealed under the service's secret, so that nothing finds the person; deleted by itself soon.
 */
type Erasure =
  | { how: "kept" | "at once" | "passed" | "lapses" }
  | { how: "deleted"; rows: Whose }
  | { how: "changed"; rows: Whose; to: Record<string, unknown>; still: SQL }

/** One table, and where a person is in it. */
export interface DataPlace {
  table: Table
  /** The columns that hold ids of users. */
  people: AnyColumn[]
  /** The columns that hold text of or about a person, or encrypted text. */
  words: AnyColumn[]
  told: Told[]
  erasure: Erasure
}

const KEPT: Erasure = { how: "kept" }
const AT_ONCE: Erasure = { how: "at once" }
const PASSED: Erasure = { how: "passed" }
const LAPSES: Erasure = { how: "lapses" }

const is =
  (column: AnyColumn): Whose =>
  ({ id }) =>
    sql`${column} = ${id}`
const deleted = (rows: Whose): Erasure => ({ how: "deleted", rows })
/** The condition that a text has anything in it. */
const said = (...columns: AnyColumn[]): SQL =>
  sql.join(
    columns.map((column) => sql`${column} <> ''`),
    sql` or `,
  )

const place = (
  table: Table,
  given: { people?: AnyColumn[]; words?: AnyColumn[]; told?: Told | Told[]; erasure: Erasure },
): DataPlace => ({
  table,
  people: given.people ?? [],
  words: given.words ?? [],
  told: given.told ? [given.told].flat() : [],
  erasure: given.erasure,
})

/** The name of a record, by the id that a column holds. */
const called = (of: Table & { id: AnyColumn }, name: AnyColumn, id: AnyColumn): SQL =>
  sql`(select ${name} from ${of} where ${of.id} = ${id})`
const courseName = (id: AnyColumn) => called(courses, courses.name, id)
/** The name of a class, which is its course's. */
const className = (id: AnyColumn) => sql`(
  select ${courses.name} from ${classes} join ${courses} on ${courses.id} = ${classes.courseId}
  where ${classes.id} = ${id}
)`
const moduleName = (id: AnyColumn) => called(modules, modules.name, id)

/** Registrations, by whose they are: an index leads from the person to them. */
const ofOwnEnrollment =
  (column: AnyColumn): Whose =>
  ({ id }) =>
    sql`${column} in (select ${enrollments.id} from ${enrollments} where ${enrollments.userId} = ${id})`
const ofOwnScorm: Whose = (person) => sql`${scormInteractions.attemptId} in (
  select ${scormAttempts.id} from ${scormAttempts} where ${ofOwnEnrollment(scormAttempts.enrollmentId)(person)}
)`
const ofOwnSubmission: Whose = ({ id }) => sql`${submissionFiles.submissionId} in (
  select ${submissions.id} from ${submissions} where ${submissions.userId} = ${id}
)`
/** The files that a person uploaded, or that were submitted in their name. */
export const ofOwnUpload: Whose = (person) => sql`${assignmentUploads.id} in (
  select ${assignmentUploads.id} from ${assignmentUploads} where ${assignmentUploads.userId} = ${person.id}
  union
  select ${submissionFiles.uploadId} from ${submissionFiles} where ${ofOwnSubmission(person)}
)`
/** The audit rows of what was done to a person by others. */
const undergone: Whose = ({ id }) => sql`${auditLogs.id} in (
  select ${auditPeople.logId} from ${auditPeople} where ${auditPeople.userId} = ${id}
)`
/** The certificates that name a person who teaches as the instructor. */
const taughtBy: Whose = ({ id, names }) => sql`${certificates.instructorName} in ${textList(names)} and (
  ${certificates.courseId} in (select ${courses.id} from ${courses} where ${courses.authorId} = ${id})
  or ${certificates.classEnrollmentId} in (
    select ${classEnrollments.id} from ${classEnrollments}
    join ${classes} on ${classes.id} = ${classEnrollments.classId} where ${classes.instructorId} = ${id}
  )
)`
/** The events whose data is of or by a person. */
export const tellsOf: Whose = ({ id }) => sql`${events.data} ->> '$[0][0]' = ${id}`
/** The mails to a person: to the user, or to an address of theirs. */
export const mailedTo: Whose = ({ id, emails }) =>
  sql`(${outbox.userId} = ${id} or lower(${outbox.recipient}) in ${textList(emails)})`

/** What takes the place of a person's words where there must be some. */
export const ERASED = "[erased]"
/** How a person is called who was erased. */
export const erasedName = (userId: number) => `Erased user ${userId}`

/** Every place. Those who are told of stand in the order of the archive. */
export const PLACES: readonly DataPlace[] = [
  place(users, {
    people: [users.id],
    words: [
      users.firstName,
      users.lastName,
      users.email,
      users.passwordHash,
      users.avatar,
      users.internalNote,
      users.searchText,
      users.firstNameKey,
      users.lastNameKey,
    ],
    told: {
      file: "profile/user",
      rows: is(users.id),
      key: [users.id],
      withheld: [users.passwordHash, users.searchText, users.firstNameKey, users.lastNameKey],
      beside: { hasPassword: sql`${users.passwordHash} is not null`.mapWith(Boolean) },
    },
    erasure: AT_ONCE,
  }),
  place(customFieldValues, {
    people: [customFieldValues.userId],
    words: [customFieldValues.value],
    told: {
      file: "profile/custom-fields",
      rows: is(customFieldValues.userId),
      key: [customFieldValues.fieldId],
      beside: {
        label: called(customFields, customFields.label, customFieldValues.fieldId),
        key: called(customFields, customFields.userMetaKey, customFieldValues.fieldId),
      },
    },
    erasure: deleted(is(customFieldValues.userId)),
  }),
  place(addresses, {
    people: [addresses.userId],
    words: [
      addresses.fullName,
      addresses.orgName,
      addresses.orgVatId,
      addresses.addressLine1,
      addresses.addressLine2,
      addresses.zipcode,
      addresses.city,
      addresses.state,
      addresses.country,
    ],
    told: { file: "profile/addresses", rows: is(addresses.userId), key: [addresses.id] },
    erasure: deleted(is(addresses.userId)),
  }),
  place(consents, {
    people: [consents.userId],
    words: [consents.consentId, consents.country, consents.ipAddress],
    told: { file: "profile/consents", rows: is(consents.userId), key: [consents.id] },
    erasure: deleted(is(consents.userId)),
  }),
  place(userCategories, {
    people: [userCategories.userId],
    told: {
      file: "profile/categories",
      rows: is(userCategories.userId),
      key: [userCategories.categoryId],
      beside: { name: called(categories, categories.name, userCategories.categoryId) },
    },
    erasure: deleted(is(userCategories.userId)),
  }),
  place(groupMembers, {
    people: [groupMembers.userId],
    told: {
      file: "profile/groups",
      rows: is(groupMembers.userId),
      key: [groupMembers.groupId],
      beside: { name: called(groups, groups.name, groupMembers.groupId) },
    },
    erasure: KEPT,
  }),
  place(groupAdmins, {
    people: [groupAdmins.userId],
    told: {
      file: "profile/groups-administered",
      rows: is(groupAdmins.userId),
      key: [groupAdmins.groupId],
      beside: { name: called(groups, groups.name, groupAdmins.groupId) },
    },
    erasure: deleted(is(groupAdmins.userId)),
  }),
  place(portalMembers, {
    people: [portalMembers.userId],
    told: {
      file: "profile/portals",
      rows: is(portalMembers.userId),
      key: [portalMembers.portalId],
      beside: { name: called(portals, portals.name, portalMembers.portalId) },
    },
    // A learner of the portal stays one, so that its reports hold.
    erasure: deleted(({ id }) => sql`${portalMembers.userId} = ${id} and ${portalMembers.role} = 'admin'`),
  }),
  place(userViewTypes, {
    people: [userViewTypes.userId],
    words: [userViewTypes.type],
    told: { file: "profile/view-type", rows: is(userViewTypes.userId), key: [userViewTypes.userId] },
    erasure: deleted(is(userViewTypes.userId)),
  }),
  place(userIdentities, {
    people: [userIdentities.userId],
    words: [userIdentities.subject],
    told: {
      file: "profile/identities",
      rows: is(userIdentities.userId),
      key: [userIdentities.providerId, userIdentities.subject],
      beside: { provider: called(ssoProviders, ssoProviders.name, userIdentities.providerId) },
    },
    erasure: AT_ONCE,
  }),
  place(devices, {
    people: [devices.userId],
    words: [devices.name, devices.refreshKey],
    told: {
      file: "profile/devices",
      rows: is(devices.userId),
      key: [devices.id],
      withheld: [devices.refreshKey],
    },
    erasure: AT_ONCE,
  }),
  place(twoFactor, {
    people: [twoFactor.userId],
    words: [twoFactor.secret],
    told: {
      file: "profile/two-factor",
      rows: is(twoFactor.userId),
      key: [twoFactor.userId],
      withheld: [twoFactor.secret, twoFactor.lastStep],
    },
    erasure: AT_ONCE,
  }),
  place(recoveryCodes, { people: [recoveryCodes.userId], words: [recoveryCodes.codeHash], erasure: AT_ONCE }),
  place(pendingEmails, {
    people: [pendingEmails.userId],
    words: [pendingEmails.email, pendingEmails.tokenHash],
    told: {
      file: "profile/pending-email",
      rows: is(pendingEmails.userId),
      key: [pendingEmails.userId],
      withheld: [pendingEmails.tokenHash],
    },
    erasure: AT_ONCE,
  }),
  place(passwordLinks, { people: [passwordLinks.userId], words: [passwordLinks.tokenHash], erasure: AT_ONCE }),
  place(temporaryPasswords, {
    people: [temporaryPasswords.userId],
    words: [temporaryPasswords.hash],
    erasure: AT_ONCE,
  }),
  place(apiKeys, {
    people: [apiKeys.createdBy],
    words: [apiKeys.name, apiKeys.hash],
    told: {
      file: "profile/api-keys",
      rows: is(apiKeys.createdBy),
      key: [apiKeys.id],
      withheld: [apiKeys.hash],
    },
    erasure: AT_ONCE,
  }),
  place(apiKeyNames, {
    words: [apiKeyNames.name],
    // Of keys that they made and that are gone: the audit log knows them.
    erasure: {
      how: "changed",
      rows: ({ id }) => sql`${apiKeyNames.id} in (
        select ${auditLogs.subjectId} from ${auditLogs}
        where ${auditLogs.performedBy} = ${id} and ${auditLogs.subject} = 'api key' and ${auditLogs.action} = 'created'
      )`,
      to: { name: ERASED },
      still: sql`${apiKeyNames.name} <> ${ERASED}`,
    },
  }),
  place(sessionRevocations, { people: [sessionRevocations.userId], erasure: KEPT }),
  place(signUps, { words: [signUps.person], erasure: LAPSES }),
  place(idempotencyKeys, {
    words: [idempotencyKeys.client, idempotencyKeys.key, idempotencyKeys.answer],
    // The answers are sealed and live a day; a key is its caller's own word, which may name the person.
    erasure: deleted(
      ({ id, emails }) => sql`(${idempotencyKeys.client} = ${`user:${id}`} or exists (
        select 1 from json_each(${JSON.stringify(emails)}) as mark
        where instr(lower(${idempotencyKeys.key}), mark.value)
      ))`,
    ),
  }),
  place(emailRules, {
    words: [emailRules.entry],
    told: {
      file: "profile/email-rules",
      rows: ({ emails }) => sql`${emailRules.entry} in ${textList(emails)}`,
      key: [emailRules.portalId, emailRules.entry],
      passes: true,
    },
    erasure: deleted(({ emails }) => sql`${emailRules.entry} in ${textList(emails)}`),
  }),
  place(enrollments, {
    people: [enrollments.userId, enrollments.enrolledBy],
    words: [enrollments.firstNameKey, enrollments.lastNameKey],
    told: {
      file: "learning/enrollments",
      rows: is(enrollments.userId),
      key: [enrollments.id],
      withheld: [enrollments.firstNameKey, enrollments.lastNameKey],
      beside: { course: courseName(enrollments.courseId) },
    },
    // The names follow the user's by a trigger.
    erasure: AT_ONCE,
  }),
  place(moduleStatuses, {
    told: {
      file: "learning/module-statuses",
      rows: ofOwnEnrollment(moduleStatuses.enrollmentId),
      key: [moduleStatuses.enrollmentId, moduleStatuses.moduleId],
      beside: { module: moduleName(moduleStatuses.moduleId) },
    },
    erasure: KEPT,
  }),
  place(learningPathEnrollments, {
    people: [learningPathEnrollments.userId],
    told: {
      file: "learning/learning-paths",
      rows: is(learningPathEnrollments.userId),
      key: [learningPathEnrollments.id],
      beside: { learningPath: called(learningPaths, learningPaths.name, learningPathEnrollments.learningPathId) },
    },
    erasure: KEPT,
  }),
  place(classEnrollments, {
    people: [classEnrollments.userId, classEnrollments.enrolledBy],
    words: [
      classEnrollments.notes,
      classEnrollments.firstName,
      classEnrollments.lastName,
      classEnrollments.email,
      classEnrollments.firstNameKey,
      classEnrollments.lastNameKey,
    ],
    told: {
      file: "learning/classes",
      rows: is(classEnrollments.userId),
      key: [classEnrollments.id],
      withheld: [classEnrollments.firstNameKey, classEnrollments.lastNameKey],
      beside: { course: className(classEnrollments.classId) },
    },
    // The names follow the user's by triggers.
    erasure: {
      how: "changed",
      rows: is(classEnrollments.userId),
      to: { notes: "" },
      still: said(classEnrollments.notes),
    },
  }),
  place(activities, {
    people: [activities.userId, activities.actorId],
    told: { file: "learning/activities", rows: is(activities.userId), key: [activities.id] },
    erasure: KEPT,
  }),
  place(quizAttempts, {
    people: [quizAttempts.userId],
    words: [quizAttempts.responses],
    told: {
      file: "learning/quiz-attempts",
      rows: is(quizAttempts.userId),
      key: [quizAttempts.id],
      beside: { quiz: moduleName(quizAttempts.moduleId), course: courseName(quizAttempts.courseId) },
    },
    // What was chosen and what it earned stays; what was written goes.
    erasure: {
      how: "changed",
      rows: is(quizAttempts.userId),
      to: {
        responses: sql`(
          select json_group_array(json_set(value, '$.text', '')) from json_each(${quizAttempts.responses})
        )`,
      },
      still: sql`exists (select 1 from json_each(${quizAttempts.responses}) where value ->> '$.text' <> '')`,
    },
  }),
  place(scormAttempts, {
    words: [scormAttempts.cmi, scormAttempts.sessionKey],
    told: {
      file: "learning/scorm-attempts",
      rows: ofOwnEnrollment(scormAttempts.enrollmentId),
      key: [scormAttempts.id],
      withheld: [scormAttempts.sessionKey],
      beside: { module: moduleName(scormAttempts.moduleId) },
    },
    erasure: {
      how: "changed",
      rows: ofOwnEnrollment(scormAttempts.enrollmentId),
      to: { cmi: {}, sessionKey: "" },
      still: sql`(${scormAttempts.cmi} <> '{}' or ${scormAttempts.sessionKey} <> '')`,
    },
  }),
  place(scormInteractions, {
    words: [scormInteractions.learnerResponse],
    told: {
      file: "learning/scorm-interactions",
      rows: ofOwnScorm,
      key: [scormInteractions.attemptId, scormInteractions.position],
    },
    erasure: {
      how: "changed",
      rows: ofOwnScorm,
      to: { learnerResponse: "" },
      still: said(scormInteractions.learnerResponse),
    },
  }),
  place(userScores, {
    people: [userScores.userId],
    told: { file: "learning/points", rows: is(userScores.userId), key: [userScores.userId] },
    erasure: KEPT,
  }),
  place(gamificationAwards, {
    people: [gamificationAwards.userId, gamificationAwards.awardedBy],
    told: { file: "learning/awards", rows: is(gamificationAwards.userId), key: [gamificationAwards.id] },
    erasure: KEPT,
  }),
  place(userBadges, {
    people: [userBadges.userId],
    told: {
      file: "learning/badges",
      rows: is(userBadges.userId),
      key: [userBadges.badgeId],
      beside: { badge: called(badges, badges.title, userBadges.badgeId) },
    },
    erasure: KEPT,
  }),
  place(reviews, {
    people: [reviews.userId],
    words: [reviews.text],
    told: {
      file: "learning/reviews",
      rows: is(reviews.userId),
      key: [reviews.id],
      beside: { course: courseName(reviews.courseId) },
    },
    erasure: { how: "changed", rows: is(reviews.userId), to: { text: "" }, still: said(reviews.text) },
  }),
  place(submissions, {
    people: [submissions.userId, submissions.evaluatedBy],
    words: [submissions.body, submissions.studentMessage, submissions.instructorMessage],
    told: {
      file: "submissions/submissions",
      rows: is(submissions.userId),
      key: [submissions.id],
      beside: { assignment: moduleName(submissions.moduleId), course: courseName(submissions.courseId) },
    },
    erasure: {
      how: "changed",
      rows: is(submissions.userId),
      to: { body: "", studentMessage: "", instructorMessage: "" },
      still: sql`(${said(submissions.body, submissions.studentMessage, submissions.instructorMessage)})`,
    },
  }),
  place(assignmentUploads, {
    people: [assignmentUploads.userId],
    words: [assignmentUploads.filename],
    told: {
      file: "submissions/files",
      rows: ofOwnUpload,
      key: [assignmentUploads.id],
      withheld: [assignmentUploads.objectKey],
    },
    erasure: PASSED,
  }),
  place(submissionFiles, {
    told: {
      file: "submissions/submission-files",
      rows: ofOwnSubmission,
      key: [submissionFiles.submissionId, submissionFiles.uploadId],
    },
    erasure: PASSED,
  }),
  place(certificates, {
    people: [certificates.userId],
    words: [certificates.instructorName],
    told: {
      file: "certificates/certificates",
      rows: is(certificates.userId),
      key: [certificates.id],
      withheld: [certificates.searchText],
      beside: {
        template: called(certificateTemplates, certificateTemplates.name, certificates.templateId),
        verifyPath: sql`'/certificate/' || ${certificates.code}`,
      },
    },
    erasure: {
      how: "changed",
      rows: taughtBy,
      to: { instructorName: ERASED },
      still: sql`${certificates.instructorName} <> ${ERASED}`,
    },
  }),
  place(outbox, {
    people: [outbox.userId],
    words: [outbox.recipient, outbox.name, outbox.secret, outbox.dedupe, outbox.error],
    told: {
      file: "mails/mails",
      rows: mailedTo,
      key: [outbox.mailingId, outbox.number],
      passes: true,
      withheld: [outbox.secret, outbox.claim, outbox.dedupe],
      beside: {
        kind: called(mailings, mailings.kind, outbox.mailingId),
        content: called(mailings, mailings.template, outbox.mailingId).mapWith(mailings.template),
      },
    },
    erasure: PASSED,
  }),
  place(mailings, { words: [mailings.template], erasure: PASSED }),
  place(announcementUsers, {
    people: [announcementUsers.userId],
    told: {
      file: "announcements/addressed",
      rows: is(announcementUsers.userId),
      key: [announcementUsers.announcementId],
      beside: { heading: called(announcements, announcements.heading, announcementUsers.announcementId) },
    },
    erasure: KEPT,
  }),
  place(announcements, {
    people: [announcements.authorId],
    told: {
      file: "announcements/written",
      rows: is(announcements.authorId),
      key: [announcements.id],
      withheld: [announcements.searchText],
    },
    erasure: KEPT,
  }),
  place(orders, {
    people: [orders.userId],
    told: { file: "commerce/orders", rows: is(orders.userId), key: [orders.id] },
    erasure: KEPT,
  }),
  place(carts, {
    people: [carts.userId],
    told: { file: "commerce/carts", rows: is(carts.userId), key: [carts.id] },
    erasure: deleted(is(carts.userId)),
  }),
  place(subscriptions, {
    people: [subscriptions.userId],
    told: { file: "commerce/subscriptions", rows: is(subscriptions.userId), key: [subscriptions.id] },
    erasure: KEPT,
  }),
  place(cards, {
    people: [cards.userId],
    words: [cards.last4, cards.paymentGatewayName, cards.cardType],
    told: { file: "commerce/cards", rows: is(cards.userId), key: [cards.id] },
    erasure: deleted(is(cards.userId)),
  }),
  place(auditLogs, {
    people: [auditLogs.performedBy, auditLogs.subjectId],
    words: [auditLogs.effectOn, auditLogs.details],
    told: [
      {
        file: "audit/by-them",
        rows: is(auditLogs.performedBy),
        key: [auditLogs.id],
        withheld: [auditLogs.performerNumber, auditLogs.kindNumber],
        // Of what they did to others, the words are those others'.
        beside: {
          effectOn: sql`iif(${auditLogs.others}, null, ${auditLogs.effectOn})`,
          details: sql`iif(${auditLogs.others}, null, ${auditLogs.details})`.mapWith(auditLogs.details),
        },
      },
      {
        file: "audit/about-them",
        rows: undergone,
        key: [auditLogs.id],
        withheld: [auditLogs.performerNumber, auditLogs.kindNumber],
      },
    ],
    erasure: PASSED,
  }),
  place(auditPeople, { people: [auditPeople.userId], erasure: KEPT }),
  place(events, {
    words: [events.data],
    told: {
      file: "events/events",
      rows: tellsOf,
      key: [events.id],
      passes: true,
      beside: {
        data: sql`json_array(${events.type}, json(${events.data}))`.mapWith((json: string) => {
          const [type, data]: [string, StoredEventData] = JSON.parse(json)
          return readEventData(type, data)
        }),
      },
    },
    erasure: PASSED,
  }),
  place(webhookDeliveries, { words: [webhookDeliveries.answer, webhookDeliveries.error], erasure: PASSED }),
  place(exportJobs, {
    people: [exportJobs.callerId],
    words: [exportJobs.filter],
    told: {
      file: "events/exports",
      rows: is(exportJobs.callerId),
      key: [exportJobs.id],
      passes: true,
      only: [exportJobs.id, exportJobs.kind, exportJobs.filter, exportJobs.status, exportJobs.createdAt],
    },
    erasure: PASSED,
  }),
  place(bulkUploads, {
    people: [bulkUploads.callerId],
    words: [bulkUploads.name, bulkUploads.client],
    erasure: PASSED,
  }),
  place(bulkUploadChunks, { words: [bulkUploadChunks.errors, bulkUploadChunks.encryptedRows], erasure: PASSED }),
  // What they made for the academy is the academy's: it stays, made by an erased user.
  place(courses, {
    people: [courses.authorId],
    told: {
      file: "authored/courses",
      rows: is(courses.authorId),
      key: [courses.id],
      passes: true,
      only: [courses.id, courses.name, courses.createdAt],
    },
    erasure: KEPT,
  }),
  place(modules, {
    people: [modules.authorId],
    told: {
      file: "authored/modules",
      rows: is(modules.authorId),
      key: [modules.id],
      passes: true,
      only: [modules.id, modules.type, modules.name, modules.createdAt],
    },
    erasure: KEPT,
  }),
  place(classes, {
    people: [classes.instructorId, classes.createdBy],
    told: {
      file: "authored/classes",
      rows: is(classes.instructorId),
      key: [classes.id],
      only: [classes.id, classes.courseId, classes.startAt, classes.endAt, classes.createdAt],
    },
    erasure: KEPT,
  }),
  place(certificateTemplates, { people: [certificateTemplates.authorId], erasure: KEPT }),
  place(classMaterials, { people: [classMaterials.uploadedBy], erasure: KEPT }),
  place(categories, {
    people: [categories.createdBy, categories.updatedBy, categories.deletedBy],
    erasure: KEPT,
  }),
  place(webhooks, { people: [webhooks.createdBy], words: [webhooks.description], erasure: PASSED }),
  place(portals, { words: [portals.senderName, portals.replyTo], erasure: PASSED }),
  place(erasures, { people: [erasures.userId, erasures.callerId], words: [erasures.subject], erasure: PASSED }),
  place(backgroundJobs, { people: [backgroundJobs.callerId], erasure: KEPT }),
  place(supervisorScope, { people: [supervisorScope.supervisorId, supervisorScope.userId], erasure: KEPT }),
]

/** The columns that an access tells, by the names that answers and events give them. */
export function toldColumns(table: Table, { withheld = [], only, beside = {} }: Told): Record<string, AnyColumn | SQL> {
  const columns = Object.entries(getTableColumns(table)).filter(([name, column]) =>
    only ? only.includes(column) : !(withheld.includes(column) || Object.hasOwn(beside, name)),
  )
  return { ...Object.fromEntries(columns), ...beside }
}
