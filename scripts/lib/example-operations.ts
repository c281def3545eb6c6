// An example call of operations by operation ID. test/matrix/mutations.ts sends the mutations to a large academy,
// scripts/openapi/calls.ts sends all of them to the sample academy. Most new operations need only an entry here.
import { EXAMPLE_ADDRESS } from "./example-records.ts"

const DAY = 86_400_000

/** 10:00 UTC of a day, relative to today. */
export const dateIn = (days: number) =>
  new Date(Math.floor(Date.now() / DAY) * DAY + days * DAY + 10 * 3_600_000).toISOString()

/** No record: calls that refer to it fail. */
const NONE = 0

/** The ids of the records that calls refer to. */
export const NO_RECORDS = {
  /** A learner. */
  userId: NONE,
  instructorId: NONE,
  courseId: NONE,
  /** The learner's enrollment in a course with the modules below. */
  registrationId: NONE,
  text: NONE,
  quiz: NONE,
  assignment: NONE,
  scorm: NONE,
  classId: NONE,
  /** A session of the class. */
  classSessionId: NONE,
  /** An enrollment in the class. */
  classRegistrationId: NONE,
  /** The learner's enrollment in a class. */
  ownClassRegistrationId: NONE,
  learningPathId: NONE,
  membershipId: NONE,
  badgeId: NONE,
  templateId: NONE,
  certificateId: NONE,
  addressId: NONE,
  cartId: NONE,
}
export type CallReferences = typeof NO_RECORDS

export interface ExampleCall {
  /** The caller. */
  by: "learner" | "staff" | "admin"
  path?: Record<string, number>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
}

/** The example calls, in a valid order. */
export const EXAMPLE_CALLS = {
  // Users.
  saveViewType: ({ userId }) => ({ by: "learner", query: { userId, type: "grid" } }),
  updateUserMembership: ({ userId, membershipId }) => ({
    by: "admin",
    path: { id: userId },
    body: { membership: { id: membershipId } },
  }),
  addUserAddress: ({ userId }) => ({
    by: "admin",
    path: { id: userId },
    body: { ...EXAMPLE_ADDRESS, type: "billing" },
  }),
  updateAddress: ({ addressId }) => ({ by: "admin", path: { id: addressId }, body: { zipcode: "4050-263" } }),
  updateEmailRules: () => ({ by: "admin", body: { blocked: ["throwaway.example"], allowed: [] } }),
  sendCartReminder: ({ cartId }) => ({ by: "admin", query: { id: cartId } }),

  // Due dates.
  setDueDates: ({ registrationId }) => ({
    by: "staff",
    body: { registrationIds: [registrationId], dueAt: dateIn(30).slice(0, 10) },
  }),
  extendDueDates: ({ registrationId }) => ({
    by: "staff",
    body: { registrationIds: [registrationId], dueAt: dateIn(60).slice(0, 10), reason: "On parental leave" },
  }),
  exemptEnrollments: ({ registrationId }) => ({
    by: "staff",
    body: { registrationIds: [registrationId], until: dateIn(90).slice(0, 10), reason: "Certified elsewhere" },
  }),
  endExemptions: ({ registrationId }) => ({ by: "staff", body: { registrationIds: [registrationId] } }),
  remindLearners: ({ registrationId }) => ({ by: "staff", body: { registrationIds: [registrationId] } }),

  // Notifications.
  sendMessage: ({ userId }) => ({
    by: "staff",
    body: { user_ids: [userId], subject: "Office hours", text: "I am in room 4 from ten to noon." },
  }),

  // Enrollments.
  enrollUsers: ({ courseId, userId }) => ({ by: "staff", body: { course_ids: [courseId], user_ids: [userId] } }),
  enrollUsersInLearningPaths: ({ learningPathId, userId }) => ({
    by: "staff",
    body: { learning_path_ids: [learningPathId], user_ids: [userId] },
  }),
  openAssignment: ({ registrationId, assignment }) => ({
    by: "learner",
    query: { registrationId, moduleId: assignment },
  }),
  recordProgress: ({ registrationId, text }) => ({
    by: "learner",
    body: { registrationId, moduleId: text, status: "Completed", percentage: 100, timeSpent: 300 },
  }),
  recordModuleStatuses: ({ registrationId, text }) => ({
    by: "staff",
    body: {
      records: [{ registrationId, moduleId: text, started_on: dateIn(-39), completed_on: dateIn(-38), timeSpent: 600 }],
    },
  }),
  beginQuizAttempt: ({ registrationId, quiz }) => ({ by: "learner", body: { registrationId, moduleId: quiz } }),
  recordQuizAttempts: ({ registrationId, quiz }) => ({
    by: "staff",
    body: { attempts: [{ registrationId, moduleId: quiz, score: 2, outOf: 2, submitted_on: dateIn(-37) }] },
  }),
  submitAssignment: ({ registrationId, assignment }) => ({
    by: "learner",
    body: { registrationId, moduleId: assignment, submission: "<p>I checked the brakes first.</p>" },
  }),
  evaluateAssignment: ({ registrationId, assignment }) => ({
    by: "staff",
    body: {
      registrationId,
      moduleId: assignment,
      evaluation: { isAccepted: true, pointsAwarded: 9, instructorMessage: "Well done." },
    },
  }),
  recordSubmissions: ({ registrationId, assignment }) => ({
    by: "staff",
    body: {
      submissions: [{ registrationId, moduleId: assignment, pointsAwarded: 8, submitted_on: dateIn(-36) }],
    },
  }),
  commitScorm: ({ registrationId, scorm }) => ({
    by: "learner",
    body: {
      registrationId,
      moduleId: scorm,
      cmi: { "cmi.core.lesson_status": "passed", "cmi.core.score.raw": "88" },
    },
  }),
  issueCourseCertificates: ({ registrationId }) => ({ by: "staff", body: { registrationIds: [registrationId] } }),

  // Classes.
  createClass: ({ courseId, instructorId }) => ({
    by: "staff",
    body: {
      courseId,
      instructor: instructorId,
      allowDownload: true,
      disabled: false,
      type: "onetime",
      timeZone: "Europe/Lisbon",
      startTime: dateIn(7),
      endTime: dateIn(7).replace("T10", "T12"),
      webinarProvider: "Meet",
      webinar_meeting_id: "forklift-1",
    },
  }),
  enrollInClass: ({ classId, userId }) => ({ by: "staff", path: { id: classId }, body: { studentIds: [userId] } }),
  getClassWithMaterial: ({ ownClassRegistrationId }) => ({
    by: "learner",
    query: { registrationId: ownClassRegistrationId },
  }),
  launchWebinar: ({ ownClassRegistrationId }) => ({ by: "learner", query: { registrationId: ownClassRegistrationId } }),
  updateClassStatus: ({ classRegistrationId }) => ({
    by: "staff",
    query: { id: classRegistrationId, status: "Attended" },
  }),
  updateUserClassStatus: ({ classRegistrationId }) => ({
    by: "staff",
    query: { id: classRegistrationId, status: "No Show" },
  }),
  updateWebinarStatus: ({ classRegistrationId }) => ({
    by: "staff",
    query: { ids: [classRegistrationId], status: "Attended" },
  }),
  updateWebinarNotes: ({ classRegistrationId }) => ({
    by: "staff",
    query: { ids: [classRegistrationId], notes: "Asked good questions" },
  }),
  setClassAttendance: ({ classSessionId, classRegistrationId }) => ({
    by: "staff",
    body: { sessionId: classSessionId, marks: [{ registrationId: classRegistrationId, attendance: "late" }] },
  }),
  createClassRecording: ({ classId }) => ({
    by: "staff",
    body: { classId, name: "Part 1", url: "https://meet.example/recordings/forklift-1", duration: 1800 },
  }),
  issueClassCertificates: ({ classId, classRegistrationId }) => ({
    by: "staff",
    path: { id: classId },
    body: { enrollmentIds: [classRegistrationId] },
  }),

  // Assignment rules.
  previewAssignmentRule: ({ courseId }) => ({
    by: "staff",
    body: { audience: { role: ["general"] }, courseIds: [courseId], due: { type: "days", days: 30 } },
  }),

  // Certificates and badges.
  awardBadge: ({ badgeId, userId }) => ({ by: "staff", body: { id: badgeId, user_ids: [userId] } }),
  updateCertificateTemplate: ({ templateId }) => ({
    by: "staff",
    path: { id: templateId },
    body: { name: "License to drive a forklift" },
  }),
  quickEditCertificateTemplates: ({ templateId }) => ({ by: "staff", body: { template_ids: [templateId] } }),
  previewCertificateTemplate: ({ templateId }) => ({ by: "staff", path: { id: templateId } }),
  updateCertificateIssueDate: ({ certificateId }) => ({
    by: "staff",
    body: { rowId: certificateId, newIssueDate: dateIn(-3) },
  }),
  updateCertificateDates: ({ certificateId }) => ({
    by: "staff",
    body: { rowId: certificateId, newIssueDate: dateIn(-2), newExpiryDate: dateIn(363) },
  }),
  deleteUserCertificate: ({ userId, certificateId }) => ({
    by: "staff",
    path: { id: userId },
    body: { id: certificateId },
  }),
} satisfies Record<string, (references: CallReferences) => ExampleCall>
