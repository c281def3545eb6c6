import { eq, type SQL, sql } from "drizzle-orm"
import { announcements, announcementUsers } from "../../../drizzle/schema/announcements.ts"
import { auditLogs, auditPeople } from "../../../drizzle/schema/audit.ts"
import { backgroundJobs } from "../../../drizzle/schema/background-jobs.ts"
import { bulkUploadChunks, bulkUploads } from "../../../drizzle/schema/bulk-uploads.ts"
import { cards } from "../../../drizzle/schema/cards.ts"
import { carts } from "../../../drizzle/schema/carts.ts"
import { categories } from "../../../drizzle/schema/categories.ts"
import { certificateTemplates } from "../../../drizzle/schema/certificates.ts"
import { classes, classMaterials } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { erasures } from "../../../drizzle/schema/erasures.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { supervisorScope } from "../../../drizzle/schema/groups.ts"
import { media, mediaUploads } from "../../../drizzle/schema/media.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { notificationPreferences, notifications, notificationTemplates } from "../../../drizzle/schema/notifications.ts"
import { orders } from "../../../drizzle/schema/orders.ts"
import { mailings, outbox } from "../../../drizzle/schema/outbox.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { reportDeliveries, reportRecipients, reportSchedules } from "../../../drizzle/schema/report-schedules.ts"
import { subscriptions } from "../../../drizzle/schema/subscriptions.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { rowExists, textList } from "../../db/sql.ts"
import {
  type DataSubject,
  deleteRows,
  IN_STAGE,
  KEEP,
  lookup,
  type PersonalDataTable,
  personalData,
} from "./personal-data-table.ts"

/** The counts in audit entries, which say nothing about the person. */
const AUDIT_COUNTS = [
  auditLogs.performerNumber,
  auditLogs.kindNumber,
  auditLogs.signIns,
  auditLogs.progressUpdates,
  auditLogs.evaluations,
]
/** The audit entries about the person of actions of other users. */
const isAuditedAbout = ({ id }: DataSubject): SQL => sql`${auditLogs.id} in (
  select ${auditPeople.logId} from ${auditPeople} where ${auditPeople.userId} = ${id}
)`
/** The events of the person. */
export const isEventAbout = ({ id }: DataSubject): SQL => sql`${events.userId} = ${id}`
/** The emails to the user, or to one of their addresses unless another user has it. */
export const isMailTo = ({ id, emails }: DataSubject): SQL => sql`(
  ${outbox.userId} = ${id}
  or lower(${outbox.recipient}) in ${textList(emails)} and not ${rowExists(users, eq(users.id, outbox.userId))}
)`

/** Emails, announcements, orders, logs and events. */
export const RECORD_DATA: readonly PersonalDataTable[] = [
  personalData(outbox, {
    owner: outbox.userId,
    text: [outbox.recipient, outbox.name, outbox.secret, outbox.variables, outbox.dedupe, outbox.error],
    exports: [
      {
        file: "mails/mails",
        rows: isMailTo,
        fullScan: true,
        exclude: [outbox.secret, outbox.claim, outbox.dedupe],
        computed: {
          kind: lookup(mailings, mailings.kind, outbox.mailingId),
          content: lookup(mailings, mailings.template, outbox.mailingId).mapWith(mailings.template),
        },
      },
    ],
    erasure: IN_STAGE,
  }),
  personalData(notifications, {
    owner: notifications.userId,
    text: [notifications.variables, notifications.dedupe],
    exports: [{ file: "notifications/notifications", exclude: [notifications.dedupe] }],
    erasure: deleteRows(),
  }),
  personalData(notificationPreferences, {
    owner: notificationPreferences.userId,
    exports: [{ file: "notifications/preferences", key: [notificationPreferences.kind] }],
    erasure: deleteRows(),
  }),
  personalData(reportSchedules, {
    owner: reportSchedules.ownerId,
    text: [reportSchedules.name, reportSchedules.filter],
    exports: [{ file: "reports/schedules" }],
    erasure: deleteRows(),
  }),
  personalData(reportRecipients, {
    owner: reportRecipients.userId,
    exports: [{ file: "reports/received" }],
    erasure: deleteRows(),
  }),
  personalData(reportDeliveries, {
    owner: reportDeliveries.userId,
    exports: [{ file: "reports/deliveries" }],
    erasure: deleteRows(),
  }),
  personalData(notificationTemplates, { userIds: [notificationTemplates.updatedBy], erasure: KEEP }),
  personalData(mailings, { text: [mailings.template], erasure: IN_STAGE }),
  personalData(announcementUsers, {
    owner: announcementUsers.userId,
    exports: [
      {
        file: "announcements/addressed",
        key: [announcementUsers.announcementId],
        computed: { heading: lookup(announcements, announcements.heading, announcementUsers.announcementId) },
      },
    ],
    erasure: KEEP,
  }),
  personalData(announcements, {
    owner: announcements.authorId,
    exports: [{ file: "announcements/written", exclude: [announcements.searchText] }],
    erasure: KEEP,
  }),
  personalData(orders, { owner: orders.userId, exports: [{ file: "commerce/orders" }], erasure: KEEP }),
  personalData(carts, { owner: carts.userId, exports: [{ file: "commerce/carts" }], erasure: deleteRows() }),
  personalData(subscriptions, {
    owner: subscriptions.userId,
    exports: [{ file: "commerce/subscriptions" }],
    erasure: KEEP,
  }),
  personalData(cards, {
    owner: cards.userId,
    text: [cards.last4, cards.paymentGatewayName, cards.cardType],
    exports: [{ file: "commerce/cards" }],
    erasure: deleteRows(),
  }),
  personalData(auditLogs, {
    owner: auditLogs.performedBy,
    userIds: [auditLogs.subjectId],
    text: [auditLogs.effectOn, auditLogs.details],
    exports: [
      {
        file: "audit/by-them",
        exclude: AUDIT_COUNTS,
        // Entries of actions on other users contain data of those users.
        computed: {
          effectOn: sql`iif(${auditLogs.others}, null, ${auditLogs.effectOn})`,
          details: sql`iif(${auditLogs.others}, null, ${auditLogs.details})`.mapWith(auditLogs.details),
        },
      },
      {
        file: "audit/about-them",
        rows: isAuditedAbout,
        exclude: AUDIT_COUNTS,
      },
    ],
    erasure: IN_STAGE,
  }),
  personalData(auditPeople, { owner: auditPeople.userId, erasure: KEEP }),
  personalData(events, {
    userIds: [events.userId],
    text: [events.previous],
    exports: [{ file: "events/events", rows: isEventAbout, fullScan: true }],
    erasure: IN_STAGE,
  }),
  personalData(webhookDeliveries, { text: [webhookDeliveries.answer, webhookDeliveries.error], erasure: IN_STAGE }),
  personalData(exportJobs, {
    owner: exportJobs.callerId,
    text: [exportJobs.filter],
    exports: [
      {
        file: "events/exports",
        fullScan: true,
        include: [exportJobs.id, exportJobs.kind, exportJobs.filter, exportJobs.status, exportJobs.createdAt],
      },
    ],
    erasure: IN_STAGE,
  }),
  personalData(bulkUploads, {
    owner: bulkUploads.callerId,
    text: [bulkUploads.name, bulkUploads.client],
    erasure: IN_STAGE,
  }),
  personalData(bulkUploadChunks, {
    text: [bulkUploadChunks.errors, bulkUploadChunks.encryptedRows],
    erasure: IN_STAGE,
  }),
  personalData(erasures, {
    owner: erasures.userId,
    userIds: [erasures.callerId],
    text: [erasures.subject],
    erasure: IN_STAGE,
  }),
  personalData(backgroundJobs, { owner: backgroundJobs.callerId, erasure: KEEP }),
  personalData(supervisorScope, {
    owner: supervisorScope.userId,
    userIds: [supervisorScope.supervisorId],
    erasure: KEEP,
  }),
]

/** Content and settings of the academy. They stay, by an erased user. */
export const AUTHORED_DATA: readonly PersonalDataTable[] = [
  personalData(courses, {
    owner: courses.authorId,
    exports: [{ file: "authored/courses", fullScan: true, include: [courses.id, courses.name, courses.createdAt] }],
    erasure: KEEP,
  }),
  personalData(modules, {
    owner: modules.authorId,
    exports: [
      {
        file: "authored/modules",
        fullScan: true,
        include: [modules.id, modules.type, modules.name, modules.createdAt],
      },
    ],
    erasure: KEEP,
  }),
  personalData(classes, {
    owner: classes.instructorId,
    userIds: [classes.createdBy],
    exports: [
      {
        file: "authored/classes",
        include: [classes.id, classes.courseId, classes.startAt, classes.endAt, classes.createdAt],
      },
    ],
    erasure: KEEP,
  }),
  personalData(certificateTemplates, { owner: certificateTemplates.authorId, erasure: KEEP }),
  personalData(classMaterials, { owner: classMaterials.uploadedBy, erasure: KEEP }),
  personalData(media, { owner: media.uploadedBy, erasure: KEEP }),
  personalData(mediaUploads, { owner: mediaUploads.uploadedBy, erasure: KEEP }),
  personalData(categories, {
    userIds: [categories.createdBy, categories.updatedBy, categories.deletedBy],
    erasure: KEEP,
  }),
  personalData(webhooks, { owner: webhooks.createdBy, text: [webhooks.description], erasure: IN_STAGE }),
  personalData(portals, { text: [portals.senderName, portals.replyTo], erasure: IN_STAGE }),
]
