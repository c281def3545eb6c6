import { submissionFiles, submissions, submissionTallies } from "../schema/submissions.ts"
import { SubmissionStatus, UploadState } from "../statuses.ts"
import { trigger } from "./declare.ts"
import { inState, type Tally, tallied } from "./tallies.ts"

/** How many of its rows are in which state, for whom. */
export const submissionTally: Tally = {
  into: submissionTallies,
  of: submissions,
  places: [submissionTallies.courseId],
  counts: {
    submitted: inState(submissions.status, SubmissionStatus.Submitted),
    accepted: inState(submissions.status, SubmissionStatus.Accepted),
    returned: inState(submissions.status, SubmissionStatus.Returned),
    closed: inState(submissions.status, SubmissionStatus.Closed),
  },
  moved: [submissions.status],
  label: "submissions",
}

export const submissionTriggers = [
  ...tallied(submissionTally),
  // An upload that no submission names is swept away after a while.
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
