import { and, eq, sql } from "drizzle-orm"
import { certificateTemplates } from "../../../drizzle/schema/certificates.ts"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { customFields } from "../../../drizzle/schema/custom-fields.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import { firstRow } from "../../db/client.ts"
import { selectSettings } from "../../db/settings.ts"
import { literal, SINGLE_ROW } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { canSeeAllUsers } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { completeTextModules } from "../enrollments/module-records.queries.ts"
import { sampleData } from "./certificate-text.ts"
import { renderCertificate } from "./certificate-values.ts"

/**
 * Draws a template with sample data, and completes the text modules of the caller's own enrollments in the courses that
 * use it. @throws 404
 */
export async function previewTemplate(work: UnitOfWork, origin: string, id: number) {
  const { db, caller } = work
  const at = now()
  const isOwnEnrollment = sql`${enrollments.userId} = ${caller.id ?? 0} and ${courses.certificateTemplateId} = ${id}`
  const fromOwnEnrollments = sql`
    from ${enrollments}
    join ${courses} on ${courses.id} = ${enrollments.courseId}
    where ${isOwnEnrollment}`
  /** The caller's text modules that are not completed. */
  const fromOpenModules = sql`
    from ${enrollments}
    join ${courses} on ${courses.id} = ${enrollments.courseId}
    join ${courseModules} on ${courseModules.courseId} = ${courses.id}
    join ${modules} on ${modules.id} = ${courseModules.moduleId} and ${modules.type} = 'text'
    left join ${moduleStatuses} as state on state.enrollment_id = ${enrollments.id} and state.module_id = ${modules.id}
    where ${isOwnEnrollment}
      and (${enrollments.expiresAt} = 0 or ${enrollments.expiresAt} > ${at})
      and coalesce(state.status, '') <> ${literal(ModuleStatus.Completed)}`
  const [rows, custom, counts, [academy]] = await work.read([
    db
      .select({
        name: certificateTemplates.name,
        bgUrl: certificateTemplates.bgUrl,
        width: certificateTemplates.width,
        height: certificateTemplates.height,
        fields: certificateTemplates.fields,
        qrCode: certificateTemplates.qrCode,
      })
      .from(certificateTemplates)
      .where(
        and(
          eq(certificateTemplates.id, id),
          canSeeAllUsers(caller) ? undefined : sql`exists (select 1 ${fromOwnEnrollments})`,
        ),
      ),
    db
      .select({ key: customFields.userMetaKey, label: customFields.label })
      .from(customFields)
      .where(eq(customFields.onCertificate, true)),
    db.select({ count: sql<number>`(select count(*) ${fromOpenModules})`.as("count") }).from(SINGLE_ROW),
    selectSettings(db),
  ])
  const [template] = rows
  if (!template) throw notFound("certificate template")
  const rendered = await renderCertificate(work.env, origin, template, {
    ...sampleData(at),
    site: academy?.name ?? null,
    language: academy?.language ?? null,
    custom: new Map(custom.map(({ key, label }) => [key.toLowerCase(), label])),
  })
  const { count } = firstRow(counts)
  const file = { ...rendered, filename: `${template.name.replace(/[/\\:]/g, "-")} preview.pdf` }
  if (caller.id === null || count === 0 || !work.mayChange) return file
  await work.commit(
    [
      work.auditMany(
        "updated",
        "enrollment",
        sql`
          select ${enrollments.id} as id, ${courses.name} as name,
            json_object(
              'userId', ${caller.id}, 'templateId', ${id}, 'textModules', json_group_array(${modules.id})
            ) as details
          ${fromOpenModules}
          group by ${enrollments.id}`,
      ),
      ...completeTextModules(
        work,
        { enrollmentId: sql`${enrollments.id}`, moduleId: sql`${modules.id}` },
        at,
        fromOpenModules,
        sql`${enrollments.userId} = ${caller.id} and ${enrollments.courseId} in (
          select ${courses.id} from ${courses} where ${courses.certificateTemplateId} = ${id}
        )`,
      ),
    ],
    {},
  )
  return file
}
