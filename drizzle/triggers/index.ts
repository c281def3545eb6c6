import { announcementTriggers } from "./announcements.ts"
import { apiKeyTriggers } from "./api-keys.ts"
import { assignmentTriggers } from "./assignment-rules.ts"
import { type AudienceCounter, audiences } from "./audience-counters.ts"
import { auditTriggers } from "./audit.ts"
import { commerceTriggers } from "./billing.ts"
import { calendarTriggers } from "./calendars.ts"
import { categoryTriggers } from "./categories.ts"
import { certificateTriggers } from "./certificates.ts"
import { classCounter, classTriggers } from "./classes.ts"
import { courseTriggers } from "./courses.ts"
import type { DatabaseObject } from "./declare.ts"
import { dueCounter, enrollmentCounter, learningTriggers, pointTriggers } from "./enrollments.ts"
import { erasedUserTriggers } from "./erased-users.ts"
import { eventTriggers } from "./events.ts"
import { externalIdTriggers } from "./external-ids.ts"
import { rewardTriggers } from "./gamification.ts"
import { learningPathTriggers } from "./learning-paths.ts"
import { mediaTriggers } from "./media.ts"
import { groupTriggers, locationTriggers, portalTriggers, supervisorScopeTriggers } from "./organizations.ts"
import { questionBankTriggers, quizCounter, quizTriggers } from "./quizzes.ts"
import { reportTriggers } from "./report-aggregates.ts"
import { consentTriggers, reviewTriggers } from "./reviews.ts"
import { ssoTriggers } from "./sso.ts"
import { submissionCounter, submissionTriggers } from "./submissions.ts"
import { updatedAtTriggers } from "./updated-at.ts"
import { userTriggers } from "./users.ts"

/**
 * All declared objects in the order of their creation. Triggers of the same event on a table do not depend on each
 * other.
 */
export const databaseObjects: DatabaseObject[] = [
  audiences,
  ...userTriggers,
  ...erasedUserTriggers,
  ...apiKeyTriggers,
  ...supervisorScopeTriggers,
  ...groupTriggers,
  ...portalTriggers,
  ...locationTriggers,
  ...ssoTriggers,
  ...commerceTriggers,
  ...consentTriggers,
  ...reviewTriggers,
  ...courseTriggers,
  ...learningTriggers,
  ...learningPathTriggers,
  ...assignmentTriggers,
  ...questionBankTriggers,
  ...quizTriggers,
  ...submissionTriggers,
  ...classTriggers,
  ...calendarTriggers,
  ...categoryTriggers,
  ...rewardTriggers,
  ...auditTriggers,
  ...certificateTriggers,
  ...announcementTriggers,
  ...mediaTriggers,
  ...pointTriggers,
  ...eventTriggers,
  ...externalIdTriggers,
  ...updatedAtTriggers,
  ...reportTriggers,
]

/** The counters by audience. */
export const audienceCounters: AudienceCounter[] = [
  enrollmentCounter,
  dueCounter,
  quizCounter,
  submissionCounter,
  classCounter,
]
