import { certificateOf, earnsCertificate, givesCertificate, signsCertificate } from "../rules.ts"
import { certificates, certificateTemplates } from "../schema/certificates.ts"
import { enrollments } from "../schema/enrollments.ts"
import { searched, trigger } from "./declare.ts"

/** The course of a registration, where it gives a certificate. */
const course = `
    FROM courses JOIN certificate_templates ON ${givesCertificate}`

const of = certificateOf

/** A registration that is Completed has its certificate. */
const issued = [
  `
    INSERT INTO sequences (name, value)
    SELECT 'certificates', 1${course}
    WHERE courses.id = new.course_id
    ON CONFLICT (name) DO UPDATE SET value = value + 1`,
  `
    INSERT INTO certificates (
      id, code, user_id, enrollment_id, course_id, template_id,
      course_name, instructor_name, course_credit,
      issued_at, expires_at, search_text)
    SELECT
      sequences.value, ${of.code}, new.user_id, new.id, ${of.courseId}, ${of.templateId},
      ${of.courseName}, ${of.instructorName}, ${of.courseCredit},
      new.completed_at, new.expires_at, ${of.searchText}${course}
      JOIN sequences ON sequences.name = 'certificates'
      LEFT JOIN users AS author ON ${signsCertificate}
    WHERE courses.id = new.course_id`,
]

const held = (row: "old" | "new", sign: "+" | "-") => [
  `
    UPDATE enrollments SET certificate_count = certificate_count ${sign} 1
    WHERE id = ${row}.enrollment_id`,
  `
    UPDATE class_enrollments SET certificate_count = certificate_count ${sign} 1
    WHERE id = ${row}.class_enrollment_id`,
]

export const certificateTriggers = [
  ...searched(certificateTemplates),
  trigger(
    "certificates_earned",
    {
      on: enrollments,
      after: "update",
      of: [enrollments.status],
      if: `old.status <> 'Completed' AND ${earnsCertificate("new")}`,
    },
    ...issued,
  ),
  trigger("certificates_brought", { on: enrollments, after: "insert", if: earnsCertificate("new") }, ...issued),
  trigger("certificates_inserted", { on: certificates, after: "insert" }, ...held("new", "+")),
  trigger(
    "certificates_revoked",
    {
      on: certificates,
      after: "update",
      of: [certificates.revokedAt],
      if: "old.revoked_at = 0 AND new.revoked_at > 0",
    },
    ...held("new", "-"),
  ),
  trigger("certificates_deleted", { on: certificates, after: "delete", if: "old.revoked_at = 0" }, ...held("old", "-")),
]
