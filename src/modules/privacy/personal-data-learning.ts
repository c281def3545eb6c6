import { type AnyColumn, type SQL, sql } from "drizzle-orm"
import {
  assignmentClaims,
  assignmentMembers,
  assignmentPathClaims,
  assignmentQueue,
  assignmentRules,
} from "../../../drizzle/schema/assignment-rules.ts"
import { assignmentUploads } from "../../../drizzle/schema/assignments.ts"
import { badges, gamificationAwards, userBadges } from "../../../drizzle/schema/badges.ts"
import { certificates, certificateTemplates } from "../../../drizzle/schema/certificates.ts"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import {
  activities,
  dueDateChanges,
  enrollmentCycles,
  enrollments,
  moduleStatuses,
  overdueDigests,
  reminders,
} from "../../../drizzle/schema/enrollments.ts"
import { userScores } from "../../../drizzle/schema/leaderboard.ts"
import { learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { reviews } from "../../../drizzle/schema/reviews.ts"
import { scormAttempts, scormInteractions } from "../../../drizzle/schema/scorm.ts"
import { submissionFiles, submissions } from "../../../drizzle/schema/submissions.ts"
import { transcripts } from "../../../drizzle/schema/transcripts.ts"
import { textList } from "../../db/sql.ts"
import {
  courseName,
  type DataSubject,
  deleteRows,
  ERASED,
  IN_REQUEST,
  IN_STAGE,
  KEEP,
  lookup,
  moduleName,
  type PersonalDataTable,
  personalData,
  updateRows,
} from "./personal-data-table.ts"

/** The name of a class is the name of its course. */
const className = (id: AnyColumn): SQL => sql`(
  select ${courses.name} from ${classes} join ${courses} on ${courses.id} = ${classes.courseId}
  where ${classes.id} = ${id}
)`

const hasOwnEnrollment =
  (enrollmentId: AnyColumn) =>
  ({ id }: DataSubject): SQL =>
    sql`${enrollmentId} in (select ${enrollments.id} from ${enrollments} where ${enrollments.userId} = ${id})`
const isOwnScormAttempt = hasOwnEnrollment(scormAttempts.enrollmentId)
const isOwnScormInteraction = (person: DataSubject): SQL => sql`${scormInteractions.attemptId} in (
  select ${scormAttempts.id} from ${scormAttempts} where ${isOwnScormAttempt(person)}
)`
const isOwnSubmissionFile = ({ id }: DataSubject): SQL => sql`${submissionFiles.submissionId} in (
  select ${submissions.id} from ${submissions} where ${submissions.userId} = ${id}
)`
/** The files that the person uploaded, or that were submitted for them. */
export const isOwnUpload = (person: DataSubject): SQL => sql`${assignmentUploads.id} in (
  select ${assignmentUploads.id} from ${assignmentUploads} where ${assignmentUploads.userId} = ${person.id}
  union
  select ${submissionFiles.uploadId} from ${submissionFiles} where ${isOwnSubmissionFile(person)}
)`
/** The certificates that name the person as the instructor. */
const isNamedAsInstructor = ({ id, names }: DataSubject): SQL => sql`${certificates.instructorName} in ${textList(
  names,
)} and (
  ${certificates.courseId} in (select ${courses.id} from ${courses} where ${courses.authorId} = ${id})
  or ${certificates.classEnrollmentId} in (
    select ${classEnrollments.id} from ${classEnrollments}
    join ${classes} on ${classes.id} = ${classEnrollments.classId} where ${classes.instructorId} = ${id}
  )
)`

/** Enrollments, progress, submissions and what a learner earned. */
export const LEARNING_DATA: readonly PersonalDataTable[] = [
  personalData(enrollments, {
    owner: enrollments.userId,
    userIds: [enrollments.enrolledBy],
    text: [enrollments.firstNameKey, enrollments.lastNameKey],
    exports: [
      {
        file: "learning/enrollments",
        exclude: [enrollments.firstNameKey, enrollments.lastNameKey],
        computed: { course: courseName(enrollments.courseId) },
      },
    ],
    // A trigger copies the names of the user.
    erasure: IN_REQUEST,
  }),
  personalData(moduleStatuses, {
    exports: [
      {
        file: "learning/module-statuses",
        rows: hasOwnEnrollment(moduleStatuses.enrollmentId),
        computed: { module: moduleName(moduleStatuses.moduleId) },
      },
    ],
    erasure: KEEP,
  }),
  personalData(enrollmentCycles, {
    owner: enrollmentCycles.userId,
    exports: [{ file: "learning/earlier-cycles" }],
    erasure: KEEP,
  }),
  personalData(dueDateChanges, {
    owner: dueDateChanges.userId,
    userIds: [dueDateChanges.createdBy],
    text: [dueDateChanges.reason],
    exports: [{ file: "learning/due-date-changes", computed: { course: courseName(dueDateChanges.courseId) } }],
    erasure: updateRows({ reason: "" }),
  }),
  personalData(reminders, {
    exports: [{ file: "learning/reminders", rows: hasOwnEnrollment(reminders.enrollmentId) }],
    erasure: KEEP,
  }),
  personalData(overdueDigests, {
    owner: overdueDigests.supervisorId,
    exports: [{ file: "learning/overdue-digests" }],
    erasure: KEEP,
  }),
  personalData(learningPathEnrollments, {
    owner: learningPathEnrollments.userId,
    exports: [
      {
        file: "learning/learning-paths",
        computed: { learningPath: lookup(learningPaths, learningPaths.name, learningPathEnrollments.learningPathId) },
      },
    ],
    erasure: KEEP,
  }),
  personalData(classEnrollments, {
    owner: classEnrollments.userId,
    userIds: [classEnrollments.enrolledBy],
    text: [
      classEnrollments.notes,
      classEnrollments.firstName,
      classEnrollments.lastName,
      classEnrollments.email,
      classEnrollments.firstNameKey,
      classEnrollments.lastNameKey,
    ],
    exports: [
      {
        file: "learning/classes",
        exclude: [classEnrollments.firstNameKey, classEnrollments.lastNameKey],
        computed: { course: className(classEnrollments.classId) },
      },
    ],
    // Triggers copy the names of the user.
    erasure: updateRows({ notes: "" }),
  }),
  personalData(activities, {
    owner: activities.userId,
    userIds: [activities.actorId],
    exports: [{ file: "learning/activities" }],
    erasure: KEEP,
  }),
  personalData(quizAttempts, {
    owner: quizAttempts.userId,
    text: [quizAttempts.responses],
    exports: [
      {
        file: "learning/quiz-attempts",
        computed: { quiz: moduleName(quizAttempts.moduleId), course: courseName(quizAttempts.courseId) },
      },
    ],
    // Choices and marks stay for the statistics; texts are removed.
    erasure: updateRows(
      {
        responses: sql`(
          select json_group_array(json_remove(json_set(value, '$.text', '', '$.values', json('[]')), '$.comment'))
          from json_each(${quizAttempts.responses})
        )`,
      },
      {
        pending: sql`exists (
          select 1 from json_each(${quizAttempts.responses})
          where value ->> '$.text' <> '' or coalesce(value ->> '$.values', '[]') <> '[]'
            or value ->> '$.comment' is not null
        )`,
      },
    ),
  }),
  personalData(scormAttempts, {
    text: [scormAttempts.cmi, scormAttempts.sessionKey],
    exports: [
      {
        file: "learning/scorm-attempts",
        rows: isOwnScormAttempt,
        exclude: [scormAttempts.sessionKey],
        computed: { module: moduleName(scormAttempts.moduleId) },
      },
    ],
    erasure: updateRows({ cmi: {}, sessionKey: "" }, { rows: isOwnScormAttempt }),
  }),
  personalData(scormInteractions, {
    text: [scormInteractions.learnerResponse],
    exports: [{ file: "learning/scorm-interactions", rows: isOwnScormInteraction }],
    erasure: updateRows({ learnerResponse: "" }, { rows: isOwnScormInteraction }),
  }),
  // An erased user is disabled: what rules assign ends as the rules say.
  personalData(assignmentMembers, {
    owner: assignmentMembers.userId,
    exports: [
      {
        file: "learning/assignment-rules",
        key: [assignmentMembers.ruleId],
        computed: { name: lookup(assignmentRules, assignmentRules.name, assignmentMembers.ruleId) },
      },
    ],
    erasure: KEEP,
  }),
  personalData(assignmentClaims, {
    owner: assignmentClaims.userId,
    exports: [
      {
        file: "learning/assigned-courses",
        key: [assignmentClaims.courseId, assignmentClaims.ruleId],
        computed: { course: courseName(assignmentClaims.courseId) },
      },
    ],
    erasure: KEEP,
  }),
  personalData(assignmentPathClaims, {
    owner: assignmentPathClaims.userId,
    exports: [
      {
        file: "learning/assigned-learning-paths",
        key: [assignmentPathClaims.learningPathId, assignmentPathClaims.ruleId],
        computed: { name: lookup(learningPaths, learningPaths.name, assignmentPathClaims.learningPathId) },
      },
    ],
    erasure: KEEP,
  }),
  personalData(assignmentQueue, { owner: assignmentQueue.userId, erasure: KEEP }),
  personalData(assignmentRules, { userIds: [assignmentRules.createdBy], erasure: KEEP }),
  personalData(userScores, { owner: userScores.userId, exports: [{ file: "learning/points" }], erasure: KEEP }),
  personalData(gamificationAwards, {
    owner: gamificationAwards.userId,
    userIds: [gamificationAwards.awardedBy],
    exports: [{ file: "learning/awards" }],
    erasure: KEEP,
  }),
  personalData(userBadges, {
    owner: userBadges.userId,
    exports: [
      {
        file: "learning/badges",
        key: [userBadges.badgeId],
        computed: { badge: lookup(badges, badges.title, userBadges.badgeId) },
      },
    ],
    erasure: KEEP,
  }),
  personalData(reviews, {
    owner: reviews.userId,
    text: [reviews.text],
    exports: [{ file: "learning/reviews", computed: { course: courseName(reviews.courseId) } }],
    erasure: updateRows({ text: "" }),
  }),
  personalData(submissions, {
    owner: submissions.userId,
    userIds: [submissions.evaluatedBy],
    text: [submissions.body, submissions.studentMessage, submissions.instructorMessage],
    exports: [
      {
        file: "submissions/submissions",
        computed: { assignment: moduleName(submissions.moduleId), course: courseName(submissions.courseId) },
      },
    ],
    erasure: updateRows({ body: "", studentMessage: "", instructorMessage: "" }),
  }),
  personalData(assignmentUploads, {
    owner: assignmentUploads.userId,
    text: [assignmentUploads.filename],
    exports: [{ file: "submissions/files", rows: isOwnUpload, exclude: [assignmentUploads.objectKey] }],
    erasure: IN_STAGE,
  }),
  personalData(submissionFiles, {
    exports: [{ file: "submissions/submission-files", rows: isOwnSubmissionFile }],
    erasure: IN_STAGE,
  }),
  personalData(certificates, {
    owner: certificates.userId,
    text: [certificates.instructorName],
    exports: [
      {
        file: "certificates/certificates",
        exclude: [certificates.searchText],
        computed: {
          template: lookup(certificateTemplates, certificateTemplates.name, certificates.templateId),
          verifyPath: sql`'/certificate/' || ${certificates.code}`,
        },
      },
    ],
    erasure: updateRows({ instructorName: ERASED }, { rows: isNamedAsInstructor }),
  }),
  personalData(transcripts, {
    owner: transcripts.userId,
    userIds: [transcripts.issuedBy],
    text: [transcripts.code, transcripts.content],
    exports: [{ file: "learning/transcripts" }],
    erasure: deleteRows(),
  }),
]
