import { certificates, certificateTemplates } from "../schema/certificates.ts"
import { NEXT_UPDATED_AT } from "../schema/columns.ts"
import { searchIndex, trigger } from "./declare.ts"

const certificateCountUpdates = (row: "old" | "new", sign: "+" | "-", also = "") => [
  `
    UPDATE enrollments SET certificate_count = certificate_count ${sign} 1${also}
    WHERE id = ${row}.enrollment_id`,
  `
    UPDATE class_enrollments SET certificate_count = certificate_count ${sign} 1
    WHERE id = ${row}.class_enrollment_id`,
]

export const certificateTriggers = [
  ...searchIndex(certificateTemplates),
  trigger("certificates_inserted", { on: certificates, after: "insert" }, ...certificateCountUpdates("new", "+")),
  trigger(
    "certificates_revoked",
    {
      on: certificates,
      after: "update",
      of: [certificates.revokedAt],
      if: "old.revoked_at = 0 AND new.revoked_at > 0",
    },
    ...certificateCountUpdates("new", "-", `, updated_at = ${NEXT_UPDATED_AT}`),
  ),
  trigger(
    "certificates_deleted",
    { on: certificates, after: "delete", if: "old.revoked_at = 0" },
    ...certificateCountUpdates("old", "-"),
  ),
]
