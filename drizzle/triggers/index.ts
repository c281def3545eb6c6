import { announcementTriggers } from "./announcements.ts"
import { apiKeyTriggers } from "./api-keys.ts"
import { auditTriggers } from "./audit.ts"
import { categoryTriggers } from "./categories.ts"
import { certificateTriggers } from "./certificates.ts"
import { classTally, classTriggers } from "./classes.ts"
import { commerceTriggers } from "./commerce.ts"
import { courseTriggers } from "./courses.ts"
import type { Declared } from "./declare.ts"
import { eventTriggers } from "./events.ts"
import { consentTriggers, reviewTriggers } from "./feedback.ts"
import { enrollmentTally, learningTriggers, pointTriggers } from "./learning.ts"
import { learningPathTriggers } from "./learning-paths.ts"
import { groupTriggers, locationTriggers, portalTriggers, reachTriggers } from "./places.ts"
import { quizTally, quizTriggers } from "./quizzes.ts"
import { reportTriggers } from "./reports.ts"
import { rewardTriggers } from "./rewards.ts"
import { ssoTriggers } from "./sso.ts"
import { submissionTally, submissionTriggers } from "./submissions.ts"
import { audiences, type Tally } from "./tallies.ts"
import { userTriggers } from "./users.ts"

/**
 * All that the database keeps by itself, in the order in which it is made. Where several triggers follow one act on one
 * table, none depends on another's having run.
 */
export const declared: Declared[] = [
  audiences,
  ...userTriggers,
  ...apiKeyTriggers,
  ...reachTriggers,
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
  ...quizTriggers,
  ...submissionTriggers,
  ...classTriggers,
  ...categoryTriggers,
  ...rewardTriggers,
  ...auditTriggers,
  ...certificateTriggers,
  ...announcementTriggers,
  ...pointTriggers,
  ...eventTriggers,
  ...reportTriggers,
]

/** The counts that the database keeps by audience. */
export const maintainedTallies: Tally[] = [enrollmentTally, quizTally, submissionTally, classTally]
