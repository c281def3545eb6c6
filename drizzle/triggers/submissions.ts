import { submissionCounts, submissionFiles, submissions } from "../schema/submissions.ts"
import { SubmissionStatus, UploadState } from "../statuses.ts"
import { type AudienceCounter, audienceCounterTriggers, countsStatus } from "./audience-counters.ts"
import { trigger } from "./declare.ts"

/** Counts submissions by status. */
export const submissionCounter: AudienceCounter = {
  counters: submissionCounts,
  source: submissions,
  scope: [submissionCounts.courseId],
  counts: {
    submitted: countsStatus(submissions.status, SubmissionStatus.Submitted),
    accepted: countsStatus(submissions.status, SubmissionStatus.Accepted),
    returned: countsStatus(submissions.status, SubmissionStatus.Returned),
    closed: countsStatus(submissions.status, SubmissionStatus.Closed),
  },
  watched: [submissions.status],
  label: "submissions",
}

export const submissionTriggers = [
  ...audienceCounterTriggers(submissionCounter),
  // Uploads without a submission are deleted by the cron.
  trigger(
    "submission_files_inserted",
    { on: submissionFiles, after: "insert" },
    `UPDATE assignment_uploads SET state = '${UploadState.Used}' WHERE id = new.upload_id`,
  ),
  trigger(
    "submission_files_deleted",
    {
      on: submissionFiles,
      after: "delete",
      if: "NOT EXISTS (SELECT 1 FROM submission_files WHERE upload_id = old.upload_id)",
    },
    `UPDATE assignment_uploads SET state = '${UploadState.New}' WHERE id = old.upload_id`,
  ),
]
