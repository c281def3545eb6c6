import { moduleStatuses } from "../schema/enrollments.ts"
import { submissionFiles, submissions, submissionTallies } from "../schema/submissions.ts"
import { trigger } from "./declare.ts"
import { inState, type Tally, tallied } from "./tallies.ts"

/** How many of its rows are in which state, for whom. */
export const submissionTally: Tally = {
  into: submissionTallies,
  of: submissions,
  places: [submissionTallies.courseId],
  counts: {
    submitted: inState(submissions.status, "Submitted"),
    accepted: inState(submissions.status, "Accepted"),
    returned: inState(submissions.status, "Returned"),
    closed: inState(submissions.status, "Closed"),
  },
  moved: [submissions.status],
  label: "submissions",
}

export const submissionTriggers = [
  ...tallied(submissionTally),
  trigger(
    "submissions_closed",
    {
      on: moduleStatuses,
      after: "update",
      of: [moduleStatuses.status],
      if: "old.status = 'Submitted' AND new.status <> 'Submitted'",
    },
    "UPDATE submissions SET status = 'Closed' WHERE status_row_id = new.id AND status = 'Submitted'",
  ),
  // An upload that no submission names is swept away after a while.
  trigger(
    "submission_files_inserted",
    { on: submissionFiles, after: "insert" },
    "UPDATE assignment_uploads SET state = 'used' WHERE id = new.upload_id",
  ),
  trigger(
    "submission_files_deleted",
    {
      on: submissionFiles,
      after: "delete",
      if: "NOT EXISTS (SELECT 1 FROM submission_files WHERE upload_id = old.upload_id)",
    },
    "UPDATE assignment_uploads SET state = 'new' WHERE id = old.upload_id",
  ),
]
