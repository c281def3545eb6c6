import { sql } from "drizzle-orm"
import { addresses } from "../../../drizzle/schema/addresses.ts"
import { apiKeyNames, apiKeys } from "../../../drizzle/schema/api-keys.ts"
import { auditLogs } from "../../../drizzle/schema/audit.ts"
import { calendarCancellations, calendarSubscriptions } from "../../../drizzle/schema/calendars.ts"
import { categories, userCategories } from "../../../drizzle/schema/categories.ts"
import { consents } from "../../../drizzle/schema/consents.ts"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import { devices } from "../../../drizzle/schema/devices.ts"
import { emailRules } from "../../../drizzle/schema/email-rules.ts"
import { externalIds } from "../../../drizzle/schema/external-ids.ts"
import { groupAdmins, groupMembers, groups } from "../../../drizzle/schema/groups.ts"
import { passwordLinks, temporaryPasswords } from "../../../drizzle/schema/passwords.ts"
import { pendingEmails } from "../../../drizzle/schema/pending-emails.ts"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { signUps } from "../../../drizzle/schema/sign-ups.ts"
import { ssoProviders, ssoSessions, userIdentities } from "../../../drizzle/schema/sso.ts"
import { idempotencyKeys, sessionRevocations } from "../../../drizzle/schema/system.ts"
import { recoveryCodes, twoFactor } from "../../../drizzle/schema/two-factor.ts"
import { users, userViewTypes } from "../../../drizzle/schema/users.ts"
import { textList } from "../../db/sql.ts"
import {
  type DataSubject,
  deleteRows,
  ERASED,
  EXPIRES,
  IN_REQUEST,
  KEEP,
  lookup,
  type PersonalDataTable,
  personalData,
  updateRows,
} from "./personal-data-table.ts"

const isOwnEmailRule = ({ emails }: DataSubject) => sql`${emailRules.entry} in ${textList(emails)}`

const isOwnExternalId = ({ id }: DataSubject) => sql`${externalIds.object} = 'user' and ${externalIds.objectId} = ${id}`

/** The user, their profile, memberships in groups and portals, and credentials. */
export const ACCOUNT_DATA: readonly PersonalDataTable[] = [
  personalData(users, {
    owner: users.id,
    text: [
      users.firstName,
      users.lastName,
      users.email,
      users.passwordHash,
      users.avatar,
      users.displayName,
      users.internalNote,
      users.searchText,
      users.firstNameKey,
      users.lastNameKey,
    ],
    exports: [
      {
        file: "profile/user",
        exclude: [users.passwordHash, users.searchText, users.firstNameKey, users.lastNameKey],
        computed: { hasPassword: sql`${users.passwordHash} is not null`.mapWith(Boolean) },
      },
    ],
    erasure: IN_REQUEST,
  }),
  personalData(customFieldValues, {
    owner: customFieldValues.userId,
    text: [customFieldValues.value],
    exports: [
      {
        file: "profile/custom-fields",
        key: [customFieldValues.fieldId],
        computed: {
          label: lookup(customFields, customFields.label, customFieldValues.fieldId),
          key: lookup(customFields, customFields.userMetaKey, customFieldValues.fieldId),
        },
      },
    ],
    erasure: deleteRows(),
  }),
  personalData(externalIds, {
    userIds: [externalIds.objectId],
    text: [externalIds.externalId],
    exports: [
      {
        file: "profile/external-ids",
        rows: isOwnExternalId,
        key: [externalIds.source],
        include: [externalIds.source, externalIds.externalId],
      },
    ],
    erasure: deleteRows(isOwnExternalId),
  }),
  personalData(addresses, {
    owner: addresses.userId,
    text: [
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
    exports: [{ file: "profile/addresses" }],
    erasure: deleteRows(),
  }),
  personalData(consents, {
    owner: consents.userId,
    text: [consents.consentId, consents.country, consents.ipAddress],
    exports: [{ file: "profile/consents" }],
    erasure: deleteRows(),
  }),
  personalData(userCategories, {
    owner: userCategories.userId,
    exports: [
      {
        file: "profile/categories",
        key: [userCategories.categoryId],
        computed: { name: lookup(categories, categories.name, userCategories.categoryId) },
      },
    ],
    erasure: deleteRows(),
  }),
  personalData(groupMembers, {
    owner: groupMembers.userId,
    exports: [
      {
        file: "profile/groups",
        key: [groupMembers.groupId],
        computed: { name: lookup(groups, groups.name, groupMembers.groupId) },
      },
    ],
    erasure: KEEP,
  }),
  personalData(groupAdmins, {
    owner: groupAdmins.userId,
    exports: [
      {
        file: "profile/groups-administered",
        key: [groupAdmins.groupId],
        computed: { name: lookup(groups, groups.name, groupAdmins.groupId) },
      },
    ],
    erasure: deleteRows(),
  }),
  personalData(portalMembers, {
    owner: portalMembers.userId,
    exports: [
      {
        file: "profile/portals",
        key: [portalMembers.portalId],
        computed: { name: lookup(portals, portals.name, portalMembers.portalId) },
      },
    ],
    // Learners remain members, so that the reports of the portal stay correct.
    erasure: deleteRows(({ id }) => sql`${portalMembers.userId} = ${id} and ${portalMembers.role} = 'admin'`),
  }),
  personalData(userViewTypes, {
    owner: userViewTypes.userId,
    text: [userViewTypes.type],
    exports: [{ file: "profile/view-type" }],
    erasure: deleteRows(),
  }),
  personalData(userIdentities, {
    owner: userIdentities.userId,
    text: [userIdentities.subject],
    exports: [
      {
        file: "profile/identities",
        computed: { provider: lookup(ssoProviders, ssoProviders.name, userIdentities.providerId) },
      },
    ],
    erasure: IN_REQUEST,
  }),
  personalData(ssoSessions, {
    owner: ssoSessions.userId,
    text: [ssoSessions.sid, ssoSessions.sessionId],
    erasure: deleteRows(),
  }),
  personalData(devices, {
    owner: devices.userId,
    text: [devices.name, devices.refreshKey],
    exports: [{ file: "profile/devices", exclude: [devices.refreshKey] }],
    erasure: IN_REQUEST,
  }),
  personalData(calendarSubscriptions, {
    owner: calendarSubscriptions.userId,
    text: [calendarSubscriptions.tokenHash],
    exports: [{ file: "profile/calendar", exclude: [calendarSubscriptions.tokenHash] }],
    erasure: deleteRows(),
  }),
  personalData(calendarCancellations, {
    owner: calendarCancellations.userId,
    exports: [{ file: "profile/calendar-cancellations" }],
    erasure: deleteRows(),
  }),
  personalData(twoFactor, {
    owner: twoFactor.userId,
    text: [twoFactor.secret],
    exports: [{ file: "profile/two-factor", exclude: [twoFactor.secret, twoFactor.lastStep] }],
    erasure: IN_REQUEST,
  }),
  personalData(recoveryCodes, { owner: recoveryCodes.userId, text: [recoveryCodes.codeHash], erasure: IN_REQUEST }),
  personalData(pendingEmails, {
    owner: pendingEmails.userId,
    text: [pendingEmails.email, pendingEmails.tokenHash],
    exports: [{ file: "profile/pending-email", exclude: [pendingEmails.tokenHash] }],
    erasure: IN_REQUEST,
  }),
  personalData(passwordLinks, { owner: passwordLinks.userId, text: [passwordLinks.tokenHash], erasure: IN_REQUEST }),
  personalData(temporaryPasswords, {
    owner: temporaryPasswords.userId,
    text: [temporaryPasswords.hash],
    erasure: IN_REQUEST,
  }),
  personalData(apiKeys, {
    owner: apiKeys.createdBy,
    text: [apiKeys.name, apiKeys.hash],
    exports: [{ file: "profile/api-keys", exclude: [apiKeys.hash] }],
    erasure: IN_REQUEST,
  }),
  personalData(apiKeyNames, {
    text: [apiKeyNames.name],
    // The audit log has who created a key that was deleted since.
    erasure: updateRows(
      { name: ERASED },
      {
        rows: ({ id }) => sql`${apiKeyNames.id} in (
          select ${auditLogs.subjectId} from ${auditLogs}
          where ${auditLogs.performedBy} = ${id} and ${auditLogs.subject} = 'api key'
            and ${auditLogs.action} = 'created'
        )`,
      },
    ),
  }),
  personalData(sessionRevocations, { owner: sessionRevocations.userId, erasure: KEEP }),
  personalData(signUps, { text: [signUps.person], erasure: EXPIRES }),
  personalData(idempotencyKeys, {
    text: [idempotencyKeys.client, idempotencyKeys.key, idempotencyKeys.answer],
    // Clients choose the key, so it can contain an email address of the person.
    erasure: deleteRows(
      ({ id, emails }) => sql`(${idempotencyKeys.client} = ${`user:${id}`} or exists (
        select 1 from json_each(${JSON.stringify(emails)}) as email
        where instr(lower(${idempotencyKeys.key}), email.value)
      ))`,
    ),
  }),
  personalData(emailRules, {
    text: [emailRules.entry],
    exports: [{ file: "profile/email-rules", rows: isOwnEmailRule, fullScan: true }],
    erasure: deleteRows(isOwnEmailRule),
  }),
]
