import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { certificates, certificateTemplates } from "../../../drizzle/schema/certificates.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { subquery } from "../../db/sql.ts"
import { column, isoSchema, isoSchemaOrNull, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn, updatedAtColumn } from "../../lib/spreadsheet/date-columns.ts"
import { isoTime, isoTimeOrNull } from "../../lib/text/dates.ts"

const featuredImage = sql<string | null>`(
  select ${courses.featuredImageUrl} from ${courses}
  where ${courses.id} = ${certificates.courseId}
)`

/** What draws the picture: the size of the page, and whether the template has a background. */
const page = subquery(sql<string>`(
  select json_object('width', ${certificateTemplates.width}, 'height', ${certificateTemplates.height},
    'hasBackground', iif(${certificateTemplates.bgUrl} = '', json('false'), json('true')))
  from ${certificateTemplates}
  where ${certificateTemplates.id} = ${certificates.templateId}
)`)

// A user has few certificates: only `issueDate` has an index.

/** The columns of the list of a user's certificates. */
export const certificateColumns = listColumns({
  id: integerColumn(certificates.id),
  courseId: column(
    certificates.courseId,
    z.number().int().nullable().openapi({ description: "null: the course was deleted" }),
    { sort: sql`coalesce(${certificates.courseId}, 0)` },
  ),
  userId: integerColumn(certificates.userId),
  templateId: integerColumn(certificates.templateId),
  courseName: column(
    certificates.courseName,
    z.string().openapi({ description: "Name of the course when the certificate was issued" }),
    {
      sort: sql`${certificates.courseName} collate nocase`,
    },
  ),
  coursefeaturedImage: column(featuredImage, z.string().nullable()),
  issueDate: dateColumn(certificates.issuedAt),
  expiresAt: column(certificates.expiresAt, isoSchemaOrNull(), { show: isoTimeOrNull, sort: certificates.expiresAt }),
  updatedAt: updatedAtColumn(certificates.updatedAt),
  publicUrl: column(
    certificates.code,
    z.string().openapi({ description: "The public page that verifies the certificate" }),
    { show: (code, { base }: { base: string }) => `${base}/certificate/${code}` },
  ),
  page: column(
    page,
    z
      .object({ width: z.number().int(), height: z.number().int(), hasBackground: z.boolean() })
      .openapi({ description: "An extension: the size of its picture in pixels, and whether it has a background" }),
    { show: (text) => JSON.parse(text) },
  ),
})

const count = () => z.number().int()

/** The columns of the list of all certificates. */
export const allCertificateColumns = listColumns({
  id: integerColumn(certificates.id),
  userId: column(certificates.userId, count()),
  courseId: column(certificates.courseId, count().nullable().openapi({ description: "null: the course was deleted" })),
  enrollmentId: column(
    certificates.enrollmentId,
    count()
      .nullable()
      .openapi({ description: "The enrollment that earned it; null if there is none, or none anymore" }),
  ),
  templateId: column(certificates.templateId, count()),
  code: column(certificates.code, z.string().openapi({ description: "The code of its public page" })),
  courseName: column(certificates.courseName, z.string()),
  issuedAt: column(certificates.issuedAt, isoSchema(), { show: isoTime }),
  expiresAt: column(certificates.expiresAt, isoSchemaOrNull(), { show: isoTimeOrNull }),
  revokedAt: column(certificates.revokedAt, isoSchemaOrNull(), { show: isoTimeOrNull }),
  updatedAt: updatedAtColumn(certificates.updatedAt),
})
