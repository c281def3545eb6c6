import { certificates, certificateTemplates } from "../schema/certificates.ts"
import { NEXT_UPDATED_AT } from "../schema/columns.ts"
import { EnrollmentStatus } from "../statuses.ts"
import { rowCounter, searchIndex, trigger } from "./declare.ts"

const certificateCountUpdates = (row: "old" | "new", sign: "+" | "-", condition = "true") => [
  `
    UPDATE enrollments SET
      certificate_count = certificate_count ${sign} 1,
      updated_at = ${NEXT_UPDATED_AT}
    WHERE id = ${row}.enrollment_id AND ${condition}`,
  `
    UPDATE class_enrollments SET certificate_count = certificate_count ${sign} 1
    WHERE id = ${row}.class_enrollment_id`,
]

export const certificateTriggers = [
  ...searchIndex(certificateTemplates),
  ...rowCounter(certificates, {
    // A completion issues the certificate before it writes the status, and then counts it in the same update.
    inserted: certificateCountUpdates("new", "+", `status = '${EnrollmentStatus.Completed}'`),
  }),
  trigger(
    "certificates_revoked",
    {
      on: certificates,
      after: "update",
      of: [certificates.revokedAt],
      if: "old.revoked_at = 0 AND new.revoked_at > 0",
    },
    ...certificateCountUpdates("new", "-"),
  ),
  trigger(
    "certificates_uncounted",
    { on: certificates, after: "delete", if: "old.revoked_at = 0" },
    ...certificateCountUpdates("old", "-"),
  ),
]
